import MusicModel
import Testing

@Suite("Addresses of streams")
struct StreamURLTests {
    @Test("a login is taken out, however a URL is written")
    func credentials() {
        for (url, shown) in [
            ("http://h/x", "http://h/x"), ("http://u:p@h/x", "http://h/x"), ("http://u:p@q@h/x@y", "http://h/x@y"),
            ("http://u:p@h", "http://h"), ("http://u:p@h?a=b@c", "http://h?a=b@c"), ("http://u:p@h#@", "http://h#@"),
            ("http://u@:p@h:80/@", "http://h:80/@"), ("http://h?u=a@b", "http://h?u=a@b"), ("a/b@c", "a/b@c"),
            ("http://u:p@\u{301}h/x", "http://\u{301}h/x"), ("http://u:p\u{301}@h/\u{301}x", "http://h/\u{301}x"),
        ] {
            #expect(StreamURL.withoutCredentials(url) == shown)
        }
    }
}

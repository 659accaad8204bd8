/// The facts of a state directory that make a configuration complete.
package struct KeptSettings: Sendable {
    /// The path of `settings.toml`, to which the page writes.
    package var file: String
    /// Its text; nil when there is no such file or it can't be read.
    package var text: String?
    /// Why it can't be read; nil when it can, or when there is none.
    package var trouble: String?
    /// True if there is a stored login for which the configuration has no `[navidrome]`.
    package var hasLogin = false

    /// Names the file.
    package init(file: String, text: String? = nil, trouble: String? = nil, hasLogin: Bool = false) {
        (self.file, self.text, self.trouble, self.hasLogin) = (file, text, trouble, hasLogin)
    }
}

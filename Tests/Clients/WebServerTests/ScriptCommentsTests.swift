import NIOCore
import Testing

@testable import WebServer

@Suite("Comments of modules")
struct ScriptCommentsTests {
    @Test("with lines of their own are left out, with indentation and empty lines")
    func removed() {
        let module = """
            // What it is for.
            import { h } from "./dom.js";

            /**
             * Adds.
             * @param {number} a
             */
            export function add(a) {
              // Why.
              return a + 1; // not on a line of its own
            }
            /** @type {Map<string, number>} */
            const places = new Map();
            /** @type {any} */ (globalThis).x = 1;
            """
        #expect(
            ScriptComments.removed(from: module) == """
                import { h } from "./dom.js";
                export function add(a) {
                return a + 1; // not on a line of its own
                }
                const places = new Map();
                (globalThis).x = 1;

                """)
    }

    @Test("stay where a line could be a part of a text", arguments: ["const a = `x\n// no comment\n`;", "/** open"])
    func unchanged(module: String) { #expect(ScriptComments.removed(from: module) == module) }

    @Test("are gone from the page's own modules, which get smaller by a tenth at least and keep their imports")
    func ownModules() throws {
        let files = PageFiles()
        let modules = PageFiles.paths.filter { $0.hasSuffix(".js") && $0 != "worker.js" }
        #expect(modules.count > 30)
        for path in modules {
            let text = String(buffer: try #require(files.file(named: path)))
            #expect(!text.contains("\n/**\n") && !text.contains("\n//"), "\(path)")
            #expect(text.contains("import") || text.contains("export"), "\(path)")
        }
    }
}

/** What a path says about its file: whether people change it when they mend or build something. */

export type PathKind =
  | 'code'
  | 'template'
  | 'style'
  | 'types'
  | 'config'
  | 'test'
  | 'fixture'
  | 'docs'
  | 'example'
  | 'benchmark'
  | 'locale'
  | 'changelog'
  | 'build'
  | 'vendored'
  | 'generated'
  | 'output'
  | 'data';

const RULES: readonly (readonly [PathKind, RegExp])[] = [
  [
    'generated',
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]+\.lock|pnpm-lock\.yaml|go\.sum|composer\.lock)$|[.-](?:min|bundle|bundled|prod|production)\.(?:m?js|cjs|css)$|\.(?:map|snap|pb\.go|pb\.cc|pb\.h|g\.dart|designer\.cs|pyi?c|tsbuildinfo)$|_pb2(?:_grpc)?\.py$|(?:^|\/)(?:generated|__generated__|__snapshots__|autogen)\//i,
  ],
  [
    'vendored',
    /(?:^|\/)(?:node_modules|bower_components|vendor|vendors|vendored|third[_-]?party|3rd[_-]?party|_vendor|subprojects)\/|^(?:external|externals|extern|deps)\//i,
  ],
  [
    'changelog',
    /(?:^|\/)(?:change[-_]?logs?|changes|history|news|release[-_]?notes|whatsnew|authors|contributors|thanks|credits|licen[cs]e|copying|copyright|notice|codeowners|security|code_of_conduct)(?:\.(?:md|markdown|rst|txt|adoc|html?|\d[\w.]*))?$|(?:^|\/)(?:change[-_]?logs?|newsfragments|changes\.d|release[-_]?notes|releasenotes|whatsnew)\//i,
  ],
  [
    'fixture',
    /(?:^|\/)(?:fixtures?|testdata|test[-_]data|__fixtures__|__mocks__|mocks|golden|cassettes|test[-_]?cases|corpus|corpora|fuzz|fuzzing|oss-fuzz)\//i,
  ],
  [
    'test',
    /(?:^|\/)(?:[^/]*[._-])?(?:[Tt]ests?|[Ss]pecs?|testing|__tests__|unit_?tests?|e2e|regress|acceptance|conformance|testutils?|test-d|androidTest|t)\/|(?:^|\/)[^/]*(?<=[a-z])Tests?\/|(?:^|\/)(?:test_[^/]*|tests?|conftest|[^/]*[_.-](?:tests?|specs?|unittest|e2e|cy|tst)|[^/]*(?<=[a-z0-9])(?:Tests?|TestCase|Spec|IT))\.[a-z0-9]+$/,
  ],
  [
    'locale',
    /(?:^|\/)(?:locales?|i18n|l10n|lang|langs|languages|translations?|po|lc_messages)\/(?:[^/]+\/)*(?:[^/]+\.(?:json|ya?ml|po|pot|mo|properties|strings|xml|ftl|arb|ini)|[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?\.(?:php|[jt]s|py|rb))$|\.(?:po|pot|strings|arb)$/i,
  ],
  [
    'example',
    /(?:^|\/)(?:examples?|samples?|demos?|tutorials?|playground|notebooks?|galleries|galler[iy]|recipes|contrib\/examples)\//i,
  ],
  ['benchmark', /(?:^|\/)(?:benchmarks?|bench|perf|asv_bench|asv_benchmarks)\/|[_.-]bench(?:mark)?\.[a-z]+$/i],
  [
    'output',
    /(?:^|\/)(?:dist|build|built|out|umd|esm|cjs|es5|es6|lib-cov|target|bin\/(?:debug|release))\/.*\.(?:[cm]?jsx?|css|html?|json|class|d\.[cm]?ts)$/i,
  ],
  [
    'docs',
    /(?:^|\/)(?:docs?|documentation|manpages)\/|^(?:website|site|man|manual|wiki)\/|\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|tex|texi|pod|[1-8]|rdoc|ipynb)$|(?:^|\/)(?:readme|contributing|install|todo|faq)[^/]*$/i,
  ],
  [
    'build',
    /(?:^|\/)(?:\.github|\.gitlab|\.circleci|\.azure-pipelines|\.husky|\.vscode|\.idea|ci|tools?|scripts?|build[-_]scripts?|cmake|packaging|debian|release|gradle|m4|hack|\.devcontainer)\/|(?:^|\/)(?:makefile|gnumakefile|dockerfile|cmakelists|configure|rakefile|gruntfile|gulpfile|jenkinsfile|vagrantfile|meson|build\.gradle|pom\.xml|setup\.py|noxfile|tox|webpack\.config|rollup\.config|babel\.config|jest\.config|karma\.conf|[^/]*\.config)[^/]*$|\.(?:mk|am|in|ac|m4|cmake|gradle|bzl|bazel|sh|bat|ps1|spec|nix|gyp|gypi|sln|csproj|vcxproj)$/i,
  ],
  ['types', /\.d\.[mc]?ts$|\.pyi$|\.flow$/i],
  ['style', /\.(?:css|scss|sass|less|styl)$/i],
  [
    'template',
    /\.(?:html?|erb|haml|slim|ejs|hbs|handlebars|mustache|jinja2?|j2|twig|tmpl|tpl|pug|jade|phtml|blade\.php|cshtml|razor|xaml|qml|ui|glade)$/i,
  ],
  [
    'config',
    /\.(?:json5?|jsonc|ya?ml|toml|ini|cfg|conf|properties|xml|plist|gemspec|mod|env|editorconfig|rc)$|(?:^|\/)(?:gemfile|\.[^/]+)$/i,
  ],
  [
    'code',
    /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyx|pxd|pyw|go|rb|rake|java|kt|kts|scala|groovy|cs|fs|vb|rs|c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inl|ipp|m|mm|swift|php|inc|module|pl|pm|t|lua|r|jl|ex|exs|erl|hrl|hs|ml|mli|clj|cljs|cljc|elm|dart|nim|zig|v|sv|vhd|sql|proto|thrift|graphql|gql|coffee|el|lisp|scm|vim|awk|f|f90|f95|pas|d|sol|asm|s|cu|cuh|glsl|hlsl|wgsl|y|l|tcl)$/i,
  ],
];

/** The first rule that fits; what none knows is data. */
export function pathKind(path: string): PathKind {
  for (const [kind, rule] of RULES) if (rule.test(path)) return kind;
  return 'data';
}

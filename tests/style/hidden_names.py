"""Names that an anonymous namespace hides from other files.

Files of a folder are compiled as one (cmake/UnityGroups.cmake). A name in an anonymous namespace of one of them then hides a
name of a header that another one uses, without an error if both can be used in the same way.
"""

import re
from functools import cache
from pathlib import Path

OWN_FOLDERS = re.compile(r"sim/(core|cuda|emulator|memory)")  # as in CMakeLists.txt: each folder below these is a group
NAMESPACE = re.compile(r"namespace ([\w:]+) \{")
DECLARATIONS = [
    re.compile(r"(?:template <.*> ?)?(?:using|struct|class|enum class|enum|union) (\w+)\b(?!::)"),
    re.compile(r"(?:inline |static |extern )*(?:constexpr|const) [\w:<>,\s*&\[\]]*?\b(\w+)(?:\[[^\]]*\])* ?(?:=|\{|;)"),
    re.compile(r"(?!return|using|namespace|struct|class|enum|template|case|else|if|for|while)"
               r"\w[\w:<>,*& \[\]]*?[\s*&](\w+)\("),
]


def declared(line):
    """The name that a line declares at the level of a namespace: clang-format does not indent it."""
    for pattern in DECLARATIONS:
        match = pattern.match(line)
        if match and f"::{match[1]}(" not in line:
            return match[1]
    return None


def names_of(lines):
    """(namespace, in an anonymous one, name, line number) of each declaration."""
    namespace, anonymous = "", False
    for number, line in enumerate(lines, 1):
        match = NAMESPACE.match(line)
        if match:
            namespace = match[1]
        elif line.startswith("namespace {"):
            anonymous = True
        elif line.startswith("}  // namespace"):
            anonymous = False
        elif name := declared(line):
            yield namespace, anonymous, name, number


def group_of(path):
    return path.parent if OWN_FOLDERS.match(path.as_posix()) else Path(*path.parts[:2])


def check_hidden_names(root, report):
    texts = {path.relative_to(root): path.read_text(encoding="utf-8").splitlines()
             for path in [*(root / "sim").rglob("*.h"), *(root / "sim").rglob("*.cc")]}
    headers = {}  # name: (header, namespace)
    for path, lines in texts.items():
        if path.suffix == ".h":
            for namespace, _, name, _ in names_of(lines):
                headers.setdefault(name, set()).add((path, namespace))

    @cache
    def direct(path):
        found = (re.match(r'#include "(.*)"', line) for line in texts[path])
        return [include for match in found if match and (include := Path("sim", match[1])) in texts]

    @cache
    def included(path):
        seen, waiting = set(), [path]
        while waiting:
            for include in direct(waiting.pop()):
                if include not in seen:
                    seen.add(include)
                    waiting.append(include)
        return seen

    groups = {}
    for path in texts:
        if path.suffix == ".cc" and "libraries" not in path.parts:
            groups.setdefault(group_of(path), []).append(path)
    for path, lines in texts.items():
        if path.suffix != ".cc":
            continue
        for namespace, anonymous, name, number in names_of(lines):
            hidden = [header for header, of in headers.get(name, ()) if of and (namespace + "::").startswith(of + "::")]
            if not anonymous or not hidden:
                continue
            for other in groups.get(group_of(path), ()):
                used = [header for header in hidden if other != path and header in included(other)]
                if used and any(re.search(rf"\b{name}\b", line) for line in texts[other]):
                    report.add(path, number, f"'{name}' hides that of {used[0]} from {other}, compiled in the same group")
                    break

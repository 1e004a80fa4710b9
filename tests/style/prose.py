"""Phrases that the documentation, comments and messages replace by plain terms (CONTRIBUTING.md, docs/glossary.md)."""

import re

# (what is refused, what to write instead)
PHRASES = [
    (r"\bmust come out\b", "'expected results'"),
    (r"\bhow near\b", "'accuracy'"),
    (r"\bbears? the names?\b", "'has the name'"),
    (r"\bone behind (?:another|the other)\b|\bbehind one another\b", "'one after another'"),
    (r"\bbehind the (?:decimal )?point\b", "'decimal places'"),
    (r"\b(?:is|are) told on\b", "'is reported on'"),
    (r"\bgo(?:es)? on by (?:itself|themselves)\b", "'continues'"),
    (r"\bnobody has written\b", "'uninitialised'"),
    (r"\bpublished of none\b", "'unpublished'"),
    (r"\bin the hands of\b", "'submitted to'"),
    (r"\bis (?:there twice|there already)\b", "'appears twice' or 'already exists'"),
    (r"\b(?:is|are) no (?:whole number|multiple)\b", "'is not a'"),
    (r"\bas recalled\b", "'not verified'"),
    (r"\bin the mean\b(?! time)", "'on average'"),
    (r"\bto look at them\b", "'to view them'"),
    (r"\b(?:bytes|instructions|requests|lookups|sectors) a (?:cycle|second|clock)\b", "'per cycle'"),
    (r"\b(?:row|point|bar|track|column|varint) a (?:launch|metric|trace|bank|record|instruction|element|process)\b", "'per'"),
    (r"\b(?:line|row|value|message|heading|bar|group) a (?:problem|reason|key|section|workload|variant|instance|launch)\b", "'per'"),
    (r"\b(?:warps|threads|blocks) an SM\b(?! (?:can|has|holds|executes))|\bGb/s a pin\b", "'per'"),
    (r"\bcycles? an? (?:instruction|pass|round|line|warp)\b", "'per'"),
    (r"\basked for\b", "'requested'"),
    (r"\b(?:nobody|whoever)\b", "the process, thread or user that is meant, or a positive sentence"),
    (r"\binsists? on\b", "'requires'"),
    (r"\bneed not be given\b", "'is optional'"),
    (r"\bin place of\b", "'instead of'"),
    (r"\ball the same\b", "'nevertheless', or 'still'"),
    (r"\bdescriptions? (?:that|which) ships?\b", "'shipped description'"),
    (r"\bcannot be told\b", "'cannot be determined'"),
    (r"\bunder way\b", "'outstanding' or 'active'"),
    (r", too\b(?! \w)", "'also'"),
    (r"\blikewise\b", "'also' or 'the same'"),
    (r"\bfor ever\b", "'forever'"),
    (r"\bthe greatest\b(?! common)", "'the maximum' or 'the largest'"),
    (r"\bnothing but\b", "'only'"),
]
COMPILED = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in PHRASES]
PROSE_FOLDERS = [f"sim/{name}" for name in ("app", "base", "config", "stats", "report", "sweep", "cuda", "ptx")] + ["web/src"]
PROSE_SUFFIXES = {".cc", ".h", ".js", ".css"}
GENERATED = {"config-reference.md", "launch-reference.md", "metrics.md"}  # generated from texts in the code


def check_prose(root, path, report):
    if path.name in GENERATED:
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for pattern, instead in COMPILED:
            found = pattern.search(line)
            if found:
                report.add(path.relative_to(root), number, f"'{found.group(0)}' is not the project's term; write {instead}")

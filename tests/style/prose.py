"""Phrases that the documentation replaces by plain terms (CONTRIBUTING.md, docs/glossary.md). Each has no other use here."""

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
]
COMPILED = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in PHRASES]
GENERATED = {"config-reference.md", "launch-reference.md", "metrics.md"}  # generated from texts in the code


def check_prose(root, path, report):
    if path.name in GENERATED:
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for pattern, instead in COMPILED:
            found = pattern.search(line)
            if found:
                report.add(path.relative_to(root), number, f"'{found.group(0)}' is not the project's term; write {instead}")

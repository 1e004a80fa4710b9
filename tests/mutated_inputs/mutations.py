"""Changes inputs at random, reproducibly for a seed: bytes, texts, frames of .wtrace files, databases."""

import ctypes
import ctypes.util
import re
import sqlite3
import struct

NUMBERS = ["0", "-1", "1", "2", "255", "65536", "4294967295", "4294967296", "9223372036854775807", "18446744073709551615",
           "18446744073709551616", "1e308", "nan", "-0", "007", "0x10", "0.5", "99999999999999999999999", ""]
PIECES = ["\t", "\0", "\n", "\r\n", " ", '"', "'", ":", "- ", "[", "]", "{", "}", ",", ";", "#", "&a", "*a", "!", "%", "@", "|",
          "\\", "/", "..", "=", "\x7f", "é", "\udcff", "(", ")", "<", ">", "~", "null", "true", "---\n", "extends: ", "$", "."]
INTEGERS = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF,
            0x8000000000000000, 0xFFFFFFFFFFFFFFFF]


def mutate_bytes(random, data):
    """One to four changes of bytes, blocks and little-endian integers."""
    data = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        size = len(data)
        at = random.randrange(size) if size else 0
        length = min(random.choice((1, 2, 4, 8, 16, 64, 300)), size - at)
        kind = random.randrange(8)
        if kind == 0 and size:
            data[at] ^= 1 << random.randrange(8)
        elif kind == 1 and size:
            data[at] = random.randrange(256)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at:at + length]
        elif kind == 4:
            data[at:at] = random.randbytes(random.choice((1, 4, 64)))
        elif kind == 5:
            data[at:at] = data[at:at + length] * random.choice((1, 2, 50))
        elif kind == 6:
            width = random.choice((1, 2, 4, 8))
            value = random.choice(INTEGERS) & ((1 << (8 * width)) - 1)
            data[at:at + width] = value.to_bytes(width, "little")
        else:
            data[at:at + length] = bytes(length)
    return bytes(data)


def mutate_text(random, data):
    """One to three changes of numbers, words, lines and characters."""
    if random.randrange(12) == 0:
        return mutate_bytes(random, data)
    text = data.decode("utf-8", "surrogateescape")
    for _ in range(random.choice((1, 1, 2, 3))):
        text = change_text(random, text)
    return text.encode("utf-8", "surrogateescape")


def replace_match(random, text, pattern, replacement):
    places = list(re.finditer(pattern, text))
    if not places:
        return text
    place = random.choice(places)
    return text[:place.start()] + replacement + text[place.end():]


def change_text(random, text):
    kind = random.randrange(9)
    if kind in (0, 1):
        return replace_match(random, text, r"-?\d+(\.\d+)?", random.choice(NUMBERS))
    if kind == 2:
        words = re.findall(r"\w+", text) or ["x"]
        return replace_match(random, text, r"[A-Za-z_]\w*", random.choice((random.choice(words), "x", "num", "")))
    at = random.randrange(len(text) + 1)
    if kind == 3:
        return text[:at] + random.choice(PIECES) + text[at:]
    if kind == 4:
        return text[:at] + text[at + random.choice((1, 2, 5, 30)):]
    if kind == 5:
        return text[:at]
    lines = text.split("\n")
    line = random.randrange(len(lines))
    if kind == 6:
        del lines[line]
    elif kind == 7:
        lines.insert(random.randrange(len(lines) + 1), lines[line])
    else:
        lines[line] = random.choice(("  ", "\t", "    ", "- ")) + lines[line].strip()
    return "\n".join(lines)


class WtraceMutator:
    """Changes the messages inside a .wtrace and corrects its checksums, so that readers accept them."""

    FOOTER = 32
    HEADER = 16
    FRAME_HEADER = 32

    def __init__(self):
        self.zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
        self.zstd.ZSTD_compressBound.restype = ctypes.c_size_t
        self.zstd.ZSTD_compress.restype = ctypes.c_size_t
        self.zstd.ZSTD_decompress.restype = ctypes.c_size_t

    def unpack(self, payload, size):
        out = ctypes.create_string_buffer(size)
        count = self.zstd.ZSTD_decompress(out, ctypes.c_size_t(size), payload, ctypes.c_size_t(len(payload)))
        return out.raw[:count]

    def pack(self, raw):
        bound = self.zstd.ZSTD_compressBound(ctypes.c_size_t(len(raw)))
        out = ctypes.create_string_buffer(bound)
        count = self.zstd.ZSTD_compress(out, ctypes.c_size_t(bound), raw, ctypes.c_size_t(len(raw)), 1)
        return out.raw[:count]

    def frames(self, data):
        """(kind, message, payload) of each frame; the index is the last."""
        at = self.HEADER
        frames = []
        while at < len(data) - self.FOOTER:
            kind, _, stored, raw, _ = struct.unpack_from("<IIQQQ", data, at)
            payload = data[at + self.FRAME_HEADER:at + self.FRAME_HEADER + stored]
            frames.append((kind, self.unpack(payload, raw), payload))
            at += self.FRAME_HEADER + stored
        return frames

    def mutate(self, random, data):
        if random.randrange(6) == 0:
            return mutate_bytes(random, data)
        frames = self.frames(data)
        chosen = len(frames) - 1 if random.randrange(4) else random.randrange(len(frames))
        out = bytearray(data[:self.HEADER])
        index = (0, 0)
        for number, (kind, message, payload) in enumerate(frames):
            if number == chosen:
                message = mutate_message(random, message)
                payload = self.pack(message)
            header = struct.pack("<IIQQ", kind, 0, len(payload), len(message))
            index = (len(out), len(header) + 8 + len(payload))
            out += header + struct.pack("<Q", xxh64(header + payload)) + payload
        footer = struct.pack("<QQ", *index)
        return bytes(out + footer + struct.pack("<Q", xxh64(bytes(out[:self.HEADER]) + footer)) + data[-8:])


def mutate_message(random, message):
    """Bytes of a Protobuf message; most changes keep its length, so that it is still a message."""
    message = bytearray(message)
    if not message or random.randrange(4) == 0:
        return mutate_bytes(random, bytes(message))
    for _ in range(random.choice((1, 1, 2, 3))):
        at = random.randrange(len(message))
        kind = random.randrange(3)
        if kind == 0:
            message[at] = random.randrange(256)
        elif kind == 1:
            message[at] = (message[at] & 0x80) | random.choice((0, 1, 2, 0x7F))
        else:
            message[at] ^= 1 << random.randrange(7)
    return bytes(message)


def xxh64(data):
    """XXH64 with seed 0, as its specification has it."""
    primes = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
    mask = (1 << 64) - 1

    def rotate(value, bits):
        return ((value << bits) | (value >> (64 - bits))) & mask

    def step(lane, word):
        return rotate((lane + word * primes[1]) & mask, 31) * primes[0] & mask

    at = 0
    value = primes[4]
    if len(data) >= 32:
        lanes = [(primes[0] + primes[1]) & mask, primes[1], 0, -primes[0] & mask]
        while at + 32 <= len(data):
            lanes = [step(lane, word) for lane, word in zip(lanes, struct.unpack_from("<4Q", data, at))]
            at += 32
        value = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & mask
        for lane in lanes:
            value = ((value ^ step(0, lane)) * primes[0] + primes[3]) & mask
    value = (value + len(data)) & mask
    for width, form in ((8, "<Q"), (4, "<I"), (1, "<B")):
        while at + width <= len(data):
            word = struct.unpack_from(form, data, at)[0]
            if width == 8:
                value = (rotate(value ^ step(0, word), 27) * primes[0] + primes[3]) & mask
            elif width == 4:
                value = (rotate(value ^ (word * primes[0] & mask), 23) * primes[1] + primes[2]) & mask
            else:
                value = rotate(value ^ (word * primes[4] & mask), 11) * primes[0] & mask
            at += width
    value = (value ^ (value >> 33)) * primes[1] & mask
    value = (value ^ (value >> 29)) * primes[2] & mask
    return value ^ (value >> 32)


VALUES = [None, 0, -1, 1, 2**31, 2**63 - 1, -2**63, 0.5, 1e308, float("inf"), "", "x", "1", "a'b\"<&>", b"\x00\xff", "9" * 400,
          "incomplete", "hardware", "é\n,;"]


def mutate_database(random, path):
    """Bytes of the file, or its rows, tables and columns through SQL."""
    if random.randrange(4) == 0:
        data = path.read_bytes()
        if random.randrange(2):  # the head of a page has its type
            head = bytearray(data)
            at = random.randrange(len(data) // 4096) * 4096
            head[at:at + 120] = mutate_bytes(random, bytes(head[at:at + 120]))[:120].ljust(120, b"\0")
            path.write_bytes(bytes(head))
        else:
            path.write_bytes(mutate_bytes(random, data))
        return
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for _ in range(random.choice((1, 1, 2, 4))):
        try:
            change_database(random, connection)
        except sqlite3.Error:
            pass  # a rule of the table applies; another change may pass
    connection.commit()
    connection.close()


def change_database(random, connection):
    relations = connection.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    tables = [name for name, kind in relations if kind == "table" and not name.startswith("sqlite_")]
    table = random.choice(tables)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    column = random.choice(columns)
    kind = random.randrange(12)
    if kind < 7:
        some = random.choice(("", f" WHERE {columns[0]} = (SELECT {columns[0]} FROM {table} ORDER BY random() LIMIT 1)"))
        some = some.replace("ORDER BY random()", f"ORDER BY {columns[-1]}")
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?" + some, (random.choice(VALUES),))
    elif kind == 7:
        name, relation = random.choice(relations)
        connection.execute(f"DROP {relation} {name}")
    elif kind == 8:
        connection.execute(f"DELETE FROM {table}")
    elif kind == 9:
        connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
    elif kind == 10:
        connection.execute("PRAGMA writable_schema = ON")
        sql = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql.replace(" NOT NULL", ""), table))
    else:
        pragma = random.choice(("user_version", "application_id"))
        connection.execute(f"PRAGMA {pragma} = {random.choice((0, 1, 2**31 - 1))}")

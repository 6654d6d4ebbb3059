# SPDX-License-Identifier: MIT
"""Checks a recording against the text of the MCAP specification with zlib's CRC and nothing else, and takes it apart for protoc:
check_mcap.py RECORDING FOLDER writes FOLDER/schema.bin, input.bin and state.bin (the first message of each topic)."""
import struct
import sys
import zlib

MAGIC = b"\x89MCAP0\r\n"


def text(data, at):
    size = struct.unpack_from("<I", data, at)[0]
    return data[at + 4 : at + 4 + size], at + 4 + size


def records(data, at, end):
    while at < end:
        op, size = struct.unpack_from("<BQ", data, at)
        yield op, at, data[at + 9 : at + 9 + size]
        at += 9 + size
    assert at == end, "the last record is too long"


def main(path, folder):
    data = open(path, "rb").read()
    assert data.startswith(MAGIC) and data.endswith(MAGIC), "magic"
    op, size, summary, offsets, crc = struct.unpack_from("<BQQQI", data, len(data) - 8 - 29)
    assert (op, size) == (2, 20), "footer"
    assert zlib.crc32(data[summary : len(data) - 8 - 4]) == crc, "crc of the summary"
    counts, schemas, channels, messages = {}, {}, {}, {}
    for op, at, body in records(data, 8, len(data) - 8):
        counts[op] = counts.get(op, 0) + 1
        if op == 6:
            start, end, size, crc = struct.unpack_from("<QQQI", body)
            compression, p = text(body, 28)
            inner = body[p + 8 :]
            assert compression == b"" and struct.unpack_from("<Q", body, p)[0] == len(inner) == size, "chunk"
            assert zlib.crc32(inner) == crc != 0, f"crc of the chunk at {at}"
            for iop, iat, ibody in records(inner, 0, len(inner)):
                channel, sequence, log, publish = struct.unpack_from("<HIQQ", ibody)
                assert iop == 5 and start <= log == publish <= end, "message"
                messages.setdefault(channel, ibody[22:])
        elif op == 9:
            assert zlib.crc32(body[:-4]) == struct.unpack_from("<I", body, len(body) - 4)[0], "crc of an attachment"
        elif op == 15:
            assert zlib.crc32(data[:at]) == struct.unpack("<I", body)[0], "crc of the data"
            assert at + 9 + 4 == summary, "the summary follows the data"
        elif op == 3:
            name, p = text(body, 2)
            encoding, p = text(body, p)
            assert encoding == b"protobuf"
            schemas[struct.unpack_from("<H", body)[0]] = text(body, p)[0]
        elif op == 4:
            ident, schema = struct.unpack_from("<HH", body)
            channels[text(body, 4)[0].decode()] = (ident, schema)
        elif op == 14:
            group, start, length = struct.unpack("<BQQ", body)
            ops = [o for o, _, _ in records(data, start, start + length)]
            assert ops and set(ops) == {group}, "summary offset"
            assert summary <= start < offsets
    for topic, (ident, schema) in channels.items():
        open(f"{folder}/schema.bin", "wb").write(schemas[schema])
        open(f"{folder}{topic}.bin", "wb").write(messages.get(ident, b""))
    print(f"well chunks={counts[6]} indexes={counts[8]} attachments={counts[9]} offsets={counts[14]}")


main(*sys.argv[1:])

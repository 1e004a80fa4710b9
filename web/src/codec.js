// The compressed data of the page: lines of base64 of zlib's deflate; the first is the document, the others its blobs.

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

async function inflate(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Pack {
  constructor(text) {
    this.lines = text.trim().split("\n");
  }
  async document() {
    return JSON.parse(new TextDecoder().decode(await inflate(this.lines[0])));
  }
  blob(index) {
    return inflate(this.lines[index + 1]);
  }
  async json(index) {
    return JSON.parse(new TextDecoder().decode(await this.blob(index)));
  }
}

// The bytes of all values plane by plane, lowest first, become an array of `Type`.
export function fromPlanes(bytes, offset, count, Type) {
  const size = Type.BYTES_PER_ELEMENT;
  const whole = new Uint8Array(count * size);
  for (let plane = 0; plane < size; ++plane) {
    const from = offset + plane * count;
    for (let i = 0, to = plane; i < count; ++i, to += size) {
      whole[to] = bytes[from + i];
    }
  }
  return new Type(whole.buffer);
}

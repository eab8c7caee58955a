/** A picture of a window in 256 colours: a third of the bytes, and nobody sees the difference. PNG as the W3C defines it. */
import zlib from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;

/** @param {Buffer} png of 8 bits a channel, RGB or RGBA, as Chromium writes it; transparency is left out */
export function smaller(png) {
  const { width, height, rgb } = decode(png);
  const palette = mostFrequent(rgb);
  const rows = Buffer.alloc(height * (width + 1)); // each row begins with its filter, none
  const known = new Map(palette.map((colour, index) => [colour, index]));
  for (let pixel = 0; pixel < rgb.length; pixel++) {
    const colour = rgb[pixel];
    if (!known.has(colour)) {
      known.set(colour, nearest(palette, colour));
    }
    rows[pixel + Math.floor(pixel / width) + 1] = known.get(colour);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits, a palette
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE, chunk("IHDR", header), chunk("PLTE", colours), chunk("IDAT", zlib.deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0)),
  ]);
}

function decode(png) {
  let width, height, channels;
  const data = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = body[9] === 6 ? 4 : 3;
    } else if (kind === "IDAT") {
      data.push(body);
    }
    at += 12 + length;
  }
  const raw = zlib.inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const rgb = new Uint32Array(width * height);
  let above = Buffer.alloc(stride);
  for (let row = 0; row < height; row++) {
    const start = row * (stride + 1);
    const line = unfiltered(raw[start], raw.subarray(start + 1, start + 1 + stride), above, channels);
    for (let column = 0; column < width; column++) {
      const at = column * channels;
      rgb[row * width + column] = (line[at] << 16) | (line[at + 1] << 8) | line[at + 2];
    }
    above = line;
  }
  return { width, height, rgb };
}

function unfiltered(filter, bytes, above, channels) {
  const line = Buffer.alloc(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    const left = at < channels ? 0 : line[at - channels];
    const corner = at < channels ? 0 : above[at - channels];
    line[at] = bytes[at] + [0, left, above[at], (left + above[at]) >> 1, paeth(left, above[at], corner)][filter];
  }
  return line;
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [one, two, three] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return one <= two && one <= three ? left : two <= three ? above : corner;
}

/** The colours of most pixels; of those that look alike only the most frequent one. */
function mostFrequent(rgb) {
  const counts = new Map();
  for (const colour of rgb) {
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  const chosen = [];
  for (const apart of [300, 0]) {
    for (const colour of sorted) {
      if (chosen.length < COLOURS && !chosen.some((one) => distance(one, colour) <= apart)) {
        chosen.push(colour);
      }
    }
  }
  return chosen;
}

function nearest(palette, colour) {
  let best = 0;
  for (let index = 1; index < palette.length; index++) {
    if (distance(palette[index], colour) < distance(palette[best], colour)) {
      best = index;
    }
  }
  return best;
}

function distance(one, other) {
  const [red, green, blue] = [(one >> 16) - (other >> 16), ((one >> 8) & 255) - ((other >> 8) & 255), (one & 255) - (other & 255)];
  return red * red + green * green + blue * blue;
}

function chunk(kind, body) {
  const made = Buffer.alloc(12 + body.length);
  made.writeUInt32BE(body.length, 0);
  made.write(kind, 4, "latin1");
  body.copy(made, 8);
  made.writeUInt32BE(zlib.crc32(made.subarray(4, 8 + body.length)), 8 + body.length);
  return made;
}

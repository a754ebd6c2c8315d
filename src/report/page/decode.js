// The profile's file format, read into typed arrays; docs/profile-format.md describes it.

const base64Values = (() => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const values = new Uint8Array(128);
  for (let i = 0; i < letters.length; ++i) values[letters.charCodeAt(i)] = i;
  return values;
})();

function bytesOfBase64(text) {
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === 61) --length;
  const bytes = new Uint8Array(Math.floor(length * 3 / 4));
  let held = 0, bits = 0, at = 0;
  for (let i = 0; i < length; ++i) {
    held = ((held << 6) | base64Values[text.charCodeAt(i)]) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
    }
  }
  return bytes;
}

// Little-endian numbers of `width` bytes; those of 64 bits become the nearest doubles.
function numbersOfBytes(bytes, width, Kind) {
  const numbers = new Kind(bytes.length / width);
  for (let i = 0; i < numbers.length; ++i) {
    let number = 0, scale = 1;
    for (let b = 0; b < width; ++b, scale *= 256) number += bytes[i * width + b] * scale;
    numbers[i] = number;
  }
  return numbers;
}

// Any of the four ways to write an array of numbers.
function decodeNumbers(json, Kind = Float64Array) {
  if (Array.isArray(json)) return Kind.from(json);
  if (json.range) return Kind.from({length: json.range[1]}, (_, i) => json.range[0] + i);
  if (json.runs) {
    const runs = json.runs;
    let length = 0;
    for (let i = 1; i < runs.length; i += 2) length += runs[i];
    const numbers = new Kind(length);
    for (let i = 0, at = 0; i < runs.length; i += 2) {
      numbers.fill(runs[i], at, at + runs[i + 1]);
      at += runs[i + 1];
    }
    return numbers;
  }
  for (const width of [1, 2, 4, 8]) {
    const text = json[`u${8 * width}`];
    if (text !== undefined) return numbersOfBytes(bytesOfBase64(text), width, Kind);
  }
  throw new Error('a part of the profile is written in a way that this page does not know');
}

/** SHA-256 (FIPS 180-4) of a few bytes. Browsers have no `crypto.subtle` in pages without https, as in a home network. */

const SIZE = 64;

/** @param {number} count @returns {number[]} the first primes */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/** @param {number} number @returns {number} the first 32 bits of its fractional part */
function fraction(number) {
  return ((number - Math.floor(number)) * 2 ** 32) | 0;
}

const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

/** @param {number} word @param {number} by */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** @param {Uint8Array} bytes @returns {DataView} the bytes, a one, zeros and the length in bits */
function padded(bytes) {
  const length = Math.ceil((bytes.length + 9) / SIZE) * SIZE;
  const all = new Uint8Array(length);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(length - 4, bytes.length * 8);
  return view;
}

/** @param {DataView} view @param {number} at @returns {Int32Array} the 64 words of a block */
function schedule(view, at) {
  const words = new Int32Array(SIZE);
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < SIZE; i++) {
    const [a, b] = [words[i - 15] ?? 0, words[i - 2] ?? 0];
    const first = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const second = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    words[i] = (words[i - 16] ?? 0) + first + (words[i - 7] ?? 0) + second;
  }
  return words;
}

/** @param {Int32Array} hash is changed in place @param {Int32Array} words */
function compress(hash, words) {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < SIZE; i++) {
    const mixed = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + mixed + (ROUNDS[i] ?? 0) + (words[i] ?? 0)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i] ?? 0) + word));
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} 64 hexadecimal digits
 */
export function sha256(bytes) {
  const hash = Int32Array.from(START);
  const view = padded(bytes);
  for (let at = 0; at < view.byteLength; at += SIZE) compress(hash, schedule(view, at));
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * @param {string} text pairs of hexadecimal digits
 * @returns {Uint8Array}
 */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

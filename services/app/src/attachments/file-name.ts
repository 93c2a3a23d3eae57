/** A name that is safe as a file on every system, and as a value of a header. */
interface SafeName {
  name: string;
  /** Of `Content-Disposition`, as RFC 6266 has it. */
  disposition: string;
}

const MOST_BYTES = 180;
const LONGEST_ENDING = 20;
/** Controls, signs that a file system reads as its own, and those that turn text around or are not seen. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\\/:*?"<>|]+/gu;
/** Windows opens a device by these names, whatever ending follows. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
/** `encodeURIComponent` leaves signs that RFC 5987 does not let stand in a value. */
const ENCODED_TOO = /['()*!]/g;

/** The sender of an attachment chooses its name, so that nothing of it is taken as more than a name. */
export function safeFileName(given: string): SafeName {
  const plain = withoutEdges(given.replace(UNSAFE, ' ').replace(/\s+/g, ' '));
  const name = shortened(plain === '' ? 'attachment' : plain.replace(DEVICE, '_$1'));
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/[%;]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    ENCODED_TOO,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return { name, disposition: `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}` };
}

/** A leading dot hides a file; Windows drops trailing dots and spaces, and the ending is then another one. */
function withoutEdges(text: string): string {
  const isEdge = (at: number) => text[at] === '.' || text[at] === ' ';
  let [start, end] = [0, text.length];
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** A name that is too long keeps its ending, which says what it opens with. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= LONGEST_ENDING ? name.slice(dot) : '';
  let stem = '';
  const most = MOST_BYTES - Buffer.byteLength(ending);
  for (const sign of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(stem + sign) > most) break;
    stem += sign;
  }
  return stem.trimEnd() + ending;
}

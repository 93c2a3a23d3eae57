/** Enough lines to judge a letter by; a report of a million lines is not read to its end for a guess. */
const MOST_LINES = 2_000;
/** The line with which mail programs begin the message that is answered. */
const ATTRIBUTION =
  /^(?:-{2,} ?(?:original message|urspr\S{0,12} nachricht|forwarded message).*|on .{5,200} wrote:|am .{5,200} schrieb.{0,100}:|le .{5,200} a écrit ?:|_{10,})$/i;
const SIGNATURE = /^-- ?$/;

/** The lines that the sender wrote this time: neither quoted nor the signature. */
export function* ownLines(text: string): Iterable<string> {
  for (const line of text.split('\n', MOST_LINES)) {
    const bare = line.trim();
    if (SIGNATURE.test(line) || (bare.length < 320 && ATTRIBUTION.test(bare))) return;
    if (bare !== '' && !bare.startsWith('>')) yield bare;
  }
}

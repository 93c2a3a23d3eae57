/** The other parser ends the process, or the minute, over these; of the larger ones no two readings would be compared. */
export const UNREADABLE = /a hundred thousand|million|\d0,000|\d+ MB|5 MB/;

export interface Difference {
  name: string;
  parts: string[];
  right: 'we' | 'they' | 'both' | 'nobody';
  why: string;
}

type Row = readonly [name: string, parts: string, right: Difference['right'], why: string];

const NAMED = 'the API gives every attachment a name; the message gives none';
const NO_DATE = 'they take today where no date can be read; a date that is not known is not known';
const REFUSED = 'not mail, or beyond our bounds: quarantined, where they answer with an empty mail';
const NO_BOUNDARY = 'nobody can tell the parts; we show the text that is there, they show nothing';
const NUL = 'NUL may not stand in mail (RFC 5322 §4); readers of JSON and databases stumble over it';

/** Every difference over the odd messages, with who is right by the RFCs. */
const rows: readonly Row[] = [
  ['a forward of a forward, 1 times', 'attachments', 'both', `${NAMED}, so the forwarded subject is taken`],
  ['a forward of a forward, 5 times', 'attachments', 'both', `${NAMED}, so the forwarded subject is taken`],
  ['a forward of a forward, 100 times', 'attachments', 'both', `${NAMED}, so the forwarded subject is taken`],
  ['a part that is cut in its header', 'attachments', 'both', NAMED],
  ['attachment: a nameless winmail', 'attachments', 'both', NAMED],
  ['attachment: opaque S/MIME', 'attachments', 'both', NAMED],
  ['attachment: a calendar invitation', 'attachments', 'both', NAMED],
  ['attachment: a nameless image', 'attachments', 'both', NAMED],
  ['attachment: a path as a file name', 'attachments', 'we', 'RFC 2183 §2.3: the path is not to be used'],
  ['attachment: a file name that climbs', 'attachments', 'we', 'RFC 2183 §2.3: the path is not to be used'],
  ['attachment: a file name with NUL', 'attachments', 'we', NUL],
  ['attachment: a file name that never ends', 'attachments', 'they', 'we keep 255 characters, as file systems do'],
  ['attachment: broken percent signs', 'attachments', 'we', 'a percent sign that escapes nothing stands for itself'],
  ['attachment: a type that is none', 'attachments', 'we', 'RFC 2045 §5.2: what cannot be read is text/plain'],
  [
    'attachment: a delivery report',
    'text, attachments',
    'both',
    'RFC 3464: its fields are for machines; they also show them as text',
  ],
  ['parts nested 60 deep', 'we refuse it', 'both', REFUSED],
  ['parts nested 1000 deep', 'we refuse it', 'both', REFUSED],
  ['nothing', 'we refuse it', 'we', REFUSED],
  ['line breaks alone', 'we refuse it', 'we', REFUSED],
  ['one byte', 'we refuse it', 'we', REFUSED],
  ['no delimiter at all', 'text', 'nobody', NO_BOUNDARY],
  ['no boundary parameter', 'text', 'nobody', NO_BOUNDARY],
  ['an empty boundary', 'text', 'nobody', NO_BOUNDARY],
  ['the last delimiter first', 'text', 'nobody', NO_BOUNDARY],
  ['lines that end in CR alone', 'subject, from, text', 'nobody', 'forbidden by RFC 5322 §2.3; we read what was meant'],
  ['a byte order mark in front', 'to', 'nobody', 'a mark has no place there; we pass over it, they lose a field'],
  ['Latin-1 in a header', 'subject', 'nobody', 'RFC 6532 allows UTF-8 only; we read what was meant'],
  ['NULs all over the header', 'subject', 'we', NUL],
  ['subject: NUL inside a word', 'subject', 'we', NUL],
  ['subject: UTF-7', 'subject', 'we', 'RFC 2152 registers the charset; they show its escapes undecoded'],
  ['charset: NULs', 'text', 'we', NUL],
  ['text: controls', 'text', 'we', NUL],
  ['sender: the empty path', 'from', 'both', 'an address without anything in it; we show no sender, they an empty one'],
  [
    'sender: two pairs of brackets',
    'from',
    'nobody',
    'RFC 5322 §3.4 allows one pair; programs differ in which they read, so that we show both and answer neither',
  ],
  ['sender: a quote that never ends', 'from', 'nobody', 'we read the address, they put a part of it into the name'],
  ['sender: a comment that never ends', 'from', 'nobody', 'what never ends is no comment; we show it as it is'],
  ['sender: a local user', 'from', 'nobody', 'an address has a domain; we keep the word as address, they as name'],
  ['sender: an international domain', 'from', 'both', 'the same domain in its two forms (RFC 5890)'],
  [
    'sender: zero width in the address',
    'from',
    'we',
    'RFC 5322 §3.2.3 has no such character; we show that one is there, so that it hides no other address',
  ],
  [
    'date: 1900',
    'date',
    'both',
    'RFC 5322 §3.3 allows years from 1900; there was no mail before 1970, and we show no date',
  ],
  ['date: three digits', 'date', 'we', 'RFC 5322 §4.3: three digits count from 1900'],
  ['date: a military zone', 'date', 'we', 'RFC 5322 §4.3: to be read as -0000'],
  ['date: a leap second', 'date', 'we', 'RFC 5322 §3.3 allows second 60; they lose the minute’s seconds'],
  ['date: 30 February', 'date', 'we', 'RFC 5322 §3.3: the day must exist'],
  ['date: 25 o’clock', 'date', 'we', NO_DATE],
  ['date: year 99999', 'date', 'they', 'RFC 5322 §3.3 allows more than four digits; ISO 8601 readers do not'],
  ['date: words', 'date', 'we', NO_DATE],
  ['date: nothing', 'date', 'we', NO_DATE],
  ['charset: missing, and Windows', 'text', 'nobody', 'RFC 2045 §5.2 says US-ASCII; we read what was meant'],
  ['charset: UTF-8 that is Windows', 'text', 'nobody', 'the label lies; we read what was meant'],
  ['charset: UTF-8 with its mark', 'text', 'we', 'RFC 3629 §6: the mark is a signature, not text'],
  ['charset: halves of an emoji', 'text', 'they', 'RFC 3629 §3 forbids them; we take such text for Windows-1252'],
  ['encoding: uuencode', 'text', 'both', 'RFC 2045 §6.3 leaves x- encodings to agreement; we know this one'],
  ['encoding: two encodings at once', 'text', 'nobody', 'RFC 2045 §6.1 allows one; we take the first'],
  ['encoding: base64 that is text', 'text', 'nobody', 'nothing can be read from it'],
];

export const knownDifferences: readonly Difference[] = rows.map(([name, parts, right, why]) => ({
  name,
  parts: parts.split(', '),
  right,
  why,
}));

import { cut } from './cut.ts';
import { messageBounds } from './message-bounds.ts';
import { type Attachment, isShownPart, LONGEST_TYPE, nameByType, plainName } from './parts.ts';

/** A part as an IMAP server describes it (BODYSTRUCTURE). */
export interface PartStructure {
  type: string;
  parameters?: Record<string, string>;
  disposition?: string;
  dispositionParameters?: Record<string, string>;
  encoding?: string;
  /** As it is encoded, in bytes. */
  size?: number;
  /** Of a forwarded message. */
  envelope?: { subject?: string };
  childNodes?: readonly PartStructure[];
}

/** The attachments that a structure describes, in their order, as `readContent` would describe them from the message. */
export function attachmentsOf(root: PartStructure): Attachment[] {
  const found: Attachment[] = [];
  const waiting = [root];
  for (let seen = 0; seen < messageBounds.parts; seen += 1) {
    const part = waiting.pop();
    if (!part) break;
    const type = part.type.toLowerCase();
    if (type.startsWith('multipart/') && part.childNodes) waiting.push(...part.childNodes.toReversed());
    else found.push(...attachmentOf(part, type));
  }
  return found;
}

function attachmentOf(part: PartStructure, type: string): Attachment[] {
  const name = plainName(part.dispositionParameters?.['filename'] ?? part.parameters?.['name'] ?? '');
  if (isShownPart(type, part.disposition?.toLowerCase() ?? '', name)) return [];
  const filename = name || nameByType(type, () => part.envelope?.subject ?? '');
  return [{ filename, size: decodedSizeOf(part), mimeType: cut(type, LONGEST_TYPE) }];
}

/** Lines of 76 characters and a line break, as nearly all programs write base64. */
const LINE = 76;
const LINE_BREAK = 2;

/** The decoded size of base64, with its lines as usual; one line too few or too many bytes of padding is the usual error. */
function decodedSizeOf({ size = 0, encoding }: PartStructure): number {
  const bytes = Number.isSafeInteger(size) && size > 0 ? size : 0;
  if (encoding?.toLowerCase() !== 'base64') return bytes;
  const whole = Math.floor(bytes / (LINE + LINE_BREAK));
  const rest = Math.min(bytes % (LINE + LINE_BREAK), LINE);
  return Math.floor(((whole * LINE + rest) / 4) * 3);
}

/**
 * The attachments of a message of which only the beginning was read. Those that lie whole in it were measured: all that
 * were found but the last one. The structure describes the others.
 */
export function withStructure(measured: readonly Attachment[], described: readonly Attachment[]): Attachment[] {
  if (described.length < measured.length) return [...measured];
  return described.map((one, position) => {
    const own = measured[position];
    return own && position < measured.length - 1 && own.mimeType === one.mimeType ? own : one;
  });
}

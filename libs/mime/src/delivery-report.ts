import { parseAddresses } from './addresses.ts';
import { cut } from './cut.ts';
import type { Entity } from './entity.ts';
import { type Header, readHeader } from './header-block.ts';
import type { MessageBounds } from './message-bounds.ts';
import { messageIds, ownMessageId } from './message-ids.ts';
import { findDashLines, splitMultipart } from './multipart.ts';
import { describeEntity } from './parts.ts';
import { readText } from './text-part.ts';

/** Names the send that a message is, also where a server on its way has given it another Message-ID. */
export const OPERATION_HEADER = 'X-Postroom-Operation';

interface ReportedRecipient {
  address: string;
  /** failed, delayed, delivered, relayed or expanded (RFC 3464 §2.3.3). */
  action: string;
  /** In the words of the server that gave up. */
  reason: string;
}

/** A server's report on the delivery of a message that it accepted. */
export interface DeliveryReport {
  operation: string | null;
  /** Ids that the message may have had. */
  messageIds: string[];
  recipients: ReportedRecipient[];
}

const STATUS = ['message/delivery-status', 'message/global-delivery-status'];
const RETURNED = [
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global-headers',
];
const MOST_PARTS = 20;
const MOST_RECIPIENTS = 100;
const MOST_BYTES = 256 * 1024;
const LONGEST_REASON = 300;
const OPERATION = /^[\w-]{1,64}$/;

/** Null for a message that is not a delivery report. Unreadable parts of a report are left out. */
export function readReport(raw: Buffer, report: Entity, most: MessageBounds): DeliveryReport | null {
  const boundary = report.type.parameters.get('boundary');
  if (report.type.value !== 'multipart/report' || !boundary) return null;
  const lines = findDashLines(raw, report.start, report.end);
  const parts = splitMultipart(raw, lines, report, boundary, MOST_PARTS).map(([start, end]) => {
    const { header, bodyStart } = readHeader(raw, start, end, most);
    return describeEntity(header, bodyStart, end);
  });
  const status = parts.find(({ type }) => STATUS.includes(type.value));
  if (!status) return null;
  const [about, ...recipients] = groupsOf(readText(raw.subarray(status.start, status.end), status, MOST_BYTES), most);
  const returned = parts.find(({ type }) => RETURNED.includes(type.value));
  const original = returned && headerOf(raw.subarray(returned.start, returned.end), most);
  const ids = [
    ownMessageId(original?.first('message-id')),
    ...messageIds(report.header.first('in-reply-to')),
    ...messageIds(report.header.first('references')).slice(-1),
  ];
  return {
    operation: operationIn(original) ?? operationOf(about?.first('original-envelope-id')),
    messageIds: [...new Set(ids.filter((id) => id !== ''))].slice(0, 3),
    recipients: recipients.slice(0, MOST_RECIPIENTS).flatMap(recipientOf),
  };
}

/** The send that a message says it is. */
export function operationIn(header: Header | undefined): string | null {
  return operationOf(header?.first(OPERATION_HEADER.toLowerCase()));
}

function operationOf(said = ''): string | null {
  return OPERATION.test(said) ? said : null;
}

function recipientOf(fields: Header) {
  // Prefers the recipient of our message: after a forward, `final-recipient` is the address of somebody else.
  const named = fields.first('original-recipient') ?? fields.first('final-recipient') ?? '';
  const [{ email: address } = { email: '' }] = parseAddresses(named.slice(named.indexOf(';') + 1), 1);
  const action = /^\w+/.exec(fields.first('action')?.toLowerCase() ?? '')?.[0];
  if (!address.includes('@') || action === undefined) return [];
  const diagnosis = (fields.first('diagnostic-code') ?? '').replace(/^\s*[\w-]+\s*;\s*/, '');
  const status = fields.first('status') ?? '';
  const said = diagnosis.includes(status) ? diagnosis : `${status} ${diagnosis}`;
  return [{ address: cut(address, 320), action, reason: cut(said.replace(/\s+/g, ' ').trim(), LONGEST_REASON) }];
}

/** Groups of fields with empty lines between them: about the message first, then one for each recipient. */
function groupsOf(text: string, most: MessageBounds): Header[] {
  const bytes = Buffer.from(text.trim());
  const groups: Header[] = [];
  for (let start = 0; start < bytes.length && groups.length <= MOST_RECIPIENTS;) {
    const { header, bodyStart } = readHeader(bytes, start, bytes.length, unbounded(most));
    if (header.size > 0) groups.push(header);
    start = bodyStart;
  }
  return groups;
}

function headerOf(bytes: Buffer, most: MessageBounds): Header {
  return readHeader(bytes, 0, Math.min(bytes.length, MOST_BYTES), unbounded(most)).header;
}

/** MOST_BYTES already bounds them, so a report is not refused because of the message that it returns. */
function unbounded(most: MessageBounds): MessageBounds {
  return { ...most, headerBytes: Infinity, headerFields: Infinity, fieldLength: Infinity };
}

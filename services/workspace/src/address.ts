const LONGEST = 254;

// One plain mailbox: no list, group, quoted local part or control character, so that it never means two recipients.
const ATOM = String.raw`[^\s\p{Cc}@<>()[\]\\,;:"]+`;
const LABEL = String.raw`[^\s\p{Cc}@<>()[\]\\,;:".]+`;
const MAILBOX = new RegExp(`^${ATOM}@${LABEL}(\\.${LABEL})*$`, 'u');

export function isAddress(text: string): boolean {
  return text.length <= LONGEST && MAILBOX.test(text);
}

/** How addresses are compared: capitals never tell two mailboxes apart. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

const LONGEST = 254;

// One plain mailbox: no list, group, quoted local part or control character, so that it never means two recipients.
const MAILBOX =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f.]+(\.[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f.]+)*$/u;

export function isAddress(text: string): boolean {
  return text.length <= LONGEST && MAILBOX.test(text);
}

/** How addresses are compared: capitals never tell two mailboxes apart. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

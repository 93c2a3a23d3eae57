import { expect, it } from '@jest/globals';
import { isAddress } from '@postroom/contract/address';
import fc from 'fast-check';
import { type AddressObject, simpleParser } from 'mailparser';
import { toAsciiDomain } from '../addresses/address.ts';
import { compose } from './compose.ts';
import { plain } from './composition.test-support.ts';

const HEADERS = [
  'from',
  'to',
  'cc',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
];
const emails = (found: AddressObject | AddressObject[] | undefined): string[] =>
  (Array.isArray(found) ? found : found ? [found] : []).flatMap(({ value }) =>
    value.map(({ address }) => address ?? ''),
  );

it('composing adds no header and no recipient, whatever stands in subjects, names and addresses', async () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom(
      'a\r\nBcc: evil@x.example',
      'a\nTo: evil@x.example',
      '=?utf-8?q?=0D=0ABcc:_evil@x.example?=',
      '"x" <evil@x.example>, ',
      'x\u2028Bcc: evil@x.example',
      'a'.repeat(900),
      'group: evil@x.example;',
    ),
  );
  // Every address that the API accepts.
  const address = fc
    .tuple(
      fc.string({
        unit: fc.constantFrom(...'abz09.!#$%&\'*+-/=?^_`{|}~,;:<>()[]"@ \u00fc'),
        minLength: 1,
        maxLength: 20,
      }),
      fc.constantFrom('x.example', 'b\u00fccher.example', 'xn--bcher-kva.example', 'sub.x-y.example'),
    )
    .map((parts) => parts.join('@'))
    .filter(isAddress);
  await fc.assert(
    fc.asyncProperty(nasty, nasty, nasty, address, async (subject, name, other, email) => {
      const { wire } = await compose({
        ...plain,
        subject,
        from: { email: 'ann@acme.example', name: other },
        to: [{ email, name }],
        cc: [{ email: 'cy@other.example', name: subject }],
      });
      const parsed = await simpleParser(wire);
      // The header quotes a local part that is not a dot-atom. It is the same mailbox (RFC 5322 section 3.4.1).
      const bare = (one: string) => toAsciiDomain(one.replace(/^"(.*)"@/, '$1@'));
      expect(emails(parsed.to).map(bare)).toEqual([toAsciiDomain(email)]);
      expect(emails(parsed.cc)).toEqual(['cy@other.example']);
      expect(emails(parsed.from)).toEqual(['ann@acme.example']);
      expect(parsed.bcc).toBeUndefined();
      const names = parsed.headerLines.map(({ key }) => key);
      expect(names.filter((key) => !HEADERS.includes(key))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    }),
    { numRuns: process.env['POSTROOM_FULL'] ? 500 : 100 },
  );
});

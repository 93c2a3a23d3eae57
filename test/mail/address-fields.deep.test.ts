import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { domainOf } from '@postroom/contract/address';
import { parseAddresses } from '@postroom/mime/addresses';
import { skipAloud } from '../support/skips.ts';
import { addressDifferences } from './address-differences.ts';
import { addressField, type AddressField, HIDDEN, kindsOfEntries, mixedField } from './address-fields.ts';
import { hasPython, type OtherReader, otherReaders, ourReading } from './address-parsers.ts';

const { SEED, POSTROOM_FULL } = process.env;
const seed = Number(SEED ?? Math.floor(Math.random() * 2 ** 31));
const MIXED = POSTROOM_FULL ? 200_000 : 20_000;
process.stdout.write(`Address fields with SEED=${seed}\n`);

const fields = fc.sample(addressField, { seed, numRuns: 2_000 });
const texts = fields.map(({ field }) => field);
const ours = ourReading(texts);
const isSame = (one: readonly string[] | undefined, other: readonly string[] | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

if (!hasPython) skipAloud("our reading of addresses beside that of Python's email: there is no python3");

describe('generated address fields', () => {
  it('hold at least a few entries of each kind', () => {
    const counts = kindsOfEntries.map((kind) => fields.filter((field) => field.kind === kind).length);
    expect(Math.min(...counts)).toBeGreaterThan(4);
  });

  it('name whom RFC 5322 says that they name', () => {
    const wrong = fields.flatMap(({ field, means }, n) =>
      means === null || isSame(means, ours[n]) ? [] : [{ field, means, ours: ours[n] }],
    );
    expect(wrong).toEqual([]);
  });

  it('never show or match an address that stands only in a quoted string or a comment', () => {
    const mixed = fc.sample(mixedField, { seed, numRuns: MIXED });
    const wrong = [...texts, ...mixed].filter((field) => parseAddresses(field, 100).some(isOfHidden));
    expect(wrong).toEqual([]);
  });

  it.each(['postal', 'nodemailer'] as const)('are read by %s as by us, except for the kinds written down', (reader) => {
    expect(differingFrom(reader)).toEqual(knownOf(reader));
  });

  // Any version of Python may be here, and some read more than others.
  (hasPython ? it : it.skip)('are read by Python as by us, except for the kinds written down', () => {
    expect(differingFrom('python').filter((kind) => !knownOf('python').includes(kind))).toEqual([]);
  });
});

function differingFrom(reader: OtherReader): string[] {
  const theirs = otherReaders[reader](texts);
  const isDifferent = ({ kind }: AddressField, n: number, wanted: string) =>
    kind === wanted && !isSame(ours[n], theirs[n]);
  return kindsOfEntries.filter((kind) => fields.some((field, n) => isDifferent(field, n, kind))).toSorted();
}

function knownOf(reader: OtherReader): string[] {
  return addressDifferences
    .filter(({ readers }) => readers.includes(reader))
    .map(({ kind }) => kind)
    .toSorted();
}

function isOfHidden({ email }: { email: string }): boolean {
  const outsideOfQuotes = email.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return domainOf(email) === HIDDEN || outsideOfQuotes.includes(HIDDEN);
}

import { execFileSync, spawnSync } from 'node:child_process';
import addressparser from 'nodemailer/lib/addressparser';
import { addressParser } from 'postal-mime';
import { parseAddresses } from '@postroom/mime/addresses';
import { flat } from './two-parsers.ts';

/** Parses each field and returns its addresses as `name <email>`. */
type AddressReader = (fields: readonly string[]) => string[][];

interface Entry {
  name: string;
  address?: string;
  group?: Entry[];
}

const shown = (name: string | null, email: string) => flat(`${name ?? ''} <${email.toLowerCase()}>`);
const people = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) => entry.group ?? [entry]).map(({ name, address = '' }) => shown(name, address));

export const ourReading: AddressReader = (fields) =>
  fields.map((field) => parseAddresses(field, 100).map(({ name, email }) => shown(name, email)));

/** The parser that follows the grammar of RFC 5322; it cannot read some fields at all. */
const SCRIPT = `
import json, sys
from email import policy

def read(field):
    try:
        header = policy.default.header_factory('To', field)
        return [[address.display_name, address.addr_spec] for address in header.addresses]
    except Exception:
        return [['', 'unreadable']]

json.dump([read(field) for field in json.load(sys.stdin)], sys.stdout)
`;

const pythonReading: AddressReader = (fields) => {
  const input = JSON.stringify(fields);
  const output = execFileSync('python3', ['-c', SCRIPT], { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return (JSON.parse(output) as [string, string][][]).map((found) => found.map(([name, email]) => shown(name, email)));
};

export const hasPython = spawnSync('python3', ['-c', 'import email']).status === 0;

export const otherReaders = {
  python: pythonReading,
  postal: (fields) => fields.map((field) => people(addressParser(field))),
  nodemailer: (fields) => fields.map((field) => people(addressparser(field) as Entry[])),
} satisfies Readonly<Record<string, AddressReader>>;

export type OtherReader = keyof typeof otherReaders;

import { type RawValue, Type, assertWellFormed, elements, isNumeric } from '../bson/raw.ts';
import { documentOf, toNumber, toText } from '../bson/value.ts';
import { CommandError, notSupported, typeMismatch } from '../protocol/errors.ts';
import type { Operation } from '../protocol/operation.ts';
import type { ServerState } from '../server/state.ts';

/** The content of a message, independent of the opcode that carried it. */
export interface ParsedCommand {
  body: Buffer;
  /** Document sequences, by the name of the array they stand for. */
  sequences: Map<string, Buffer[]>;
}

export interface Request {
  name: string;
  database: string;
  fields: Map<string, RawValue>;
  sequences: Map<string, Buffer[]>;
  state: ServerState;
  operation: Operation;
  connection: { id: number; legacy: boolean };
}

export type Reply = Buffer | Record<string, unknown>;

export interface CommandHandler {
  /** The fields of this command, beyond those of every command. Any other field is refused. */
  fields: string[];
  run(request: Request): Reply | Promise<Reply>;
}

const everywhere = new Set([
  '$db',
  'lsid',
  'txnNumber',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'comment',
  'maxTimeMS',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
]);

export function assertKnownFields(request: Request, command: CommandHandler): void {
  for (const [name, value] of request.fields) {
    if (name === request.name || everywhere.has(name) || command.fields.includes(name)) continue;
    if (name === 'startTransaction' || name === 'autocommit') {
      throw new CommandError(263, 'transactions are not supported by this server');
    }
    if (name === 'collation') throw notSupported('collation');
    if (value.type === Type.null) continue;
    throw new CommandError(40415, `BSON field '${request.name}.${name}' is an unknown field.`);
  }
  const level = request.fields.get('readConcern');
  const text = level?.type === Type.object ? toText(fieldsOf(level).get('level') ?? level) : undefined;
  if (text === 'snapshot') throw notSupported("readConcern level 'snapshot'");
}

export function fieldsOf(value: RawValue): Map<string, RawValue> {
  return new Map(elements(value.buf, value.start).map((element) => [element.name, element.value]));
}

/** Fields of one entry of `updates`, `deletes` and the like, each of which has to be known. */
export function entryFields(entry: Buffer, owner: string, known: string[]): Map<string, RawValue> {
  const fields = new Map(elements(entry).map((element) => [element.name, element.value]));
  for (const name of fields.keys()) {
    if (name === 'collation') throw notSupported('collation');
    if (!known.includes(name)) throw new CommandError(40415, `BSON field '${owner}.${name}' is an unknown field.`);
  }
  return fields;
}

export function readTextField(request: Request, name: string): string {
  const value = request.fields.get(name);
  const text = value && toText(value);
  if (text === undefined)
    throw typeMismatch(`BSON field '${request.name}.${name}' is the wrong type or missing, expected type 'string'`);
  return text;
}

export function collectionName(request: Request): string {
  const name = readTextField(request, request.name);
  if (name === '') throw new CommandError(73, `Invalid namespace specified '${request.database}.'`);
  request.operation.namespace = `${request.database}.${name}`;
  return name;
}

export function numberField(fields: Map<string, RawValue>, name: string): number | undefined {
  const value = fields.get(name);
  if (!value || value.type === Type.null) return undefined;
  const number = toNumber(value);
  if (!isNumeric(value.type) || !Number.isInteger(number))
    throw typeMismatch(`the field '${name}' has to be a whole number`);
  return number;
}

export function countField(fields: Map<string, RawValue>, name: string): number | undefined {
  const number = numberField(fields, name);
  if (number !== undefined && number < 0)
    throw new CommandError(51024, `BSON field '${name}' value must be >= 0, actual value '${number}'`);
  return number;
}

export function readFlagField(fields: Map<string, RawValue>, name: string): boolean {
  const value = fields.get(name);
  if (!value || value.type === Type.null) return false;
  if (value.type === Type.boolean) return value.buf[value.start] === 1;
  if (!isNumeric(value.type)) throw typeMismatch(`the field '${name}' has to be a boolean`);
  return toNumber(value) !== 0;
}

export function documentField(fields: Map<string, RawValue>, name: string): Buffer | undefined {
  const value = fields.get(name);
  if (!value || value.type === Type.null) return undefined;
  if (value.type !== Type.object) throw typeMismatch(`the field '${name}' has to be an object`);
  return documentOf(value);
}

/** The documents of an array, sent either inside the command or as a sequence beside it. */
export function documentsField(request: Request, name: string): Buffer[] {
  const sequence = request.sequences.get(name);
  if (sequence) {
    sequence.forEach((document) => assertWellFormed(document));
    return sequence;
  }
  const value = request.fields.get(name);
  if (value?.type !== Type.array)
    throw new CommandError(40414, `BSON field '${request.name}.${name}' is missing but a required field`);
  return elements(value.buf, value.start).map((element) => {
    if (element.value.type !== Type.object) throw typeMismatch(`the entries of '${name}' have to be objects`);
    return documentOf(element.value);
  });
}

import { type Document, Long, ObjectId } from 'bson';
import { Type } from '../bson/raw.ts';
import { decodeValue } from '../bson/value.ts';
import { CommandError } from '../protocol/errors.ts';
import { visitPath } from '../filter/path.ts';
import { type Index, type IndexField } from './document-index.ts';
import { createKeyWriter, invert, putValue } from '../bson/key.ts';

const writer = createKeyWriter();

/** The value of one field that stands in the key that is taken: of an array, the element that is. */
function valueInKey(
  field: IndexField,
  document: Buffer,
  key: Buffer,
  from: number,
): { value: unknown; length: number } {
  let value: unknown = null;
  let length = 0;
  visitPath(document, 0, field.path, true, (type, buf, start, end) => {
    writer.length = 0;
    putValue(writer, type, buf, start, end);
    if (field.descending) invert(writer.bytes, 0, writer.length);
    if (writer.bytes.compare(key, from, from + writer.length, 0, writer.length) !== 0) return false;
    value = type === Type.missing ? null : decodeValue({ type, buf, start, end });
    length = writer.length;
    return true;
  });
  return { value, length: length || 1 };
}

function print(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Long) return value.toString();
  if (Array.isArray(value)) return `[ ${value.map(print).join(', ')} ]`;
  if (value !== null && typeof value === 'object' && !('_bsontype' in value)) {
    const fields = Object.entries(value as Document).map(([name, field]) => `${name}: ${print(field)}`);
    return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}';
  }
  return String(value);
}

/** The error of MongoDB for a key that is taken, word for word, since programs read the index name out of it. */
export function duplicateKey(namespace: string, index: Index, document: Buffer, key: Buffer): CommandError {
  let at = 0;
  const keyValue: Record<string, unknown> = {};
  for (const field of index.fields.slice(0, index.spec.key.length)) {
    const { value, length } = valueInKey(field, document, key, at);
    keyValue[field.path.text] = value;
    at += length;
  }
  const printed = Object.entries(keyValue).map(([name, value]) => `${name}: ${print(value)}`);
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${namespace} index: ${index.spec.name} dup key: { ${printed.join(', ')} }`,
    { keyPattern: Object.fromEntries(index.spec.key), keyValue },
  );
}

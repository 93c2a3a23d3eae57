import { Int32, Long } from 'bson';
import { Type, elements, type RawValue } from '../bson/raw.ts';
import { type Node, closeDocument, isArray, isObject, openChild, openDocument } from '../bson/tree.ts';
import { encodeValue, toText } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { type Rows, Signal, noDocument } from '../query/rows.ts';

interface Options {
  path: string[];
  keepEmpty: boolean;
  indexField: string | undefined;
}

function parseOptions(value: RawValue): Options {
  const given = value.type === Type.object ? elements(value.buf, value.start) : [{ name: 'path', value }];
  const options: Options = { path: [], keepEmpty: false, indexField: undefined };
  for (const { name, value: option } of given) {
    if (name === 'path') options.path = (toText(option) ?? '').split('.');
    else if (name === 'preserveNullAndEmptyArrays') options.keepEmpty = option.buf[option.start] === 1;
    else if (name === 'includeArrayIndex') options.indexField = toText(option);
    else throw new CommandError(28811, `unrecognized option to $unwind stage: ${name}`);
  }
  if (!options.path[0]?.startsWith('$'))
    throw new CommandError(28818, "path option to $unwind stage should be prefixed with a '$'");
  options.path[0] = options.path[0].slice(1);
  return options;
}

/** The documents one document becomes: one for each element of the array. */
function unwind(document: Buffer, { path, keepEmpty, indexField }: Options): Buffer[] {
  const find = (): { root: Node; parent: Node | undefined; value: Node | undefined } => {
    const root = openDocument(document);
    let parent: Node | undefined = root;
    for (const step of path.slice(0, -1)) parent = parent && openChild(parent, step);
    return { root, parent, value: parent && openChild(parent, path.at(-1) as string) };
  };
  const { value } = find();
  const withIndex = (root: Node, index: unknown): Buffer => {
    if (!isObject(root)) throw new CommandError(1, 'not a document');
    if (indexField !== undefined) root.fields.set(indexField, encodeValue(index));
    return closeDocument(root);
  };
  const empty = !value || value.type === Type.null || (isArray(value) && value.items.length === 0);
  if (empty) {
    const { root, parent } = find();
    if (!keepEmpty) return [];
    if (value && isArray(value) && parent && isObject(parent)) parent.fields.delete(path.at(-1) as string);
    return [withIndex(root, null)];
  }
  if (!isArray(value)) return [withIndex(find().root, null)];
  return value.items.map((item, index) => {
    const { root, parent } = find();
    if (parent && isObject(parent)) parent.fields.set(path.at(-1) as string, item);
    return withIndex(root, indexField === undefined ? new Int32(index) : Long.fromNumber(index));
  });
}

export function unwindRows(source: Rows, value: RawValue): Rows {
  const options = parseOptions(value);
  let waiting: Buffer[] = [];
  const rows: Rows = {
    record: -1,
    document: noDocument,
    suspend: () => source.suspend(),
    next() {
      while (waiting.length === 0) {
        const signal = source.next();
        if (signal !== Signal.row) return signal;
        waiting = unwind(source.document, options).toReversed();
      }
      rows.document = waiting.pop() as Buffer;
      return Signal.row;
    },
  };
  return rows;
}

import { type RawValue, Type, elements } from '../bson/raw.ts';
import { type ObjectNode, closeDocument, emptyObject, isObject, open, openDocument, type Node } from '../bson/tree.ts';
import { encodeValue, toText } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { type Evaluate, parseExpression } from '../query/expression.ts';

export type Reshape = (document: Buffer) => Buffer;

interface Assignment {
  steps: string[];
  evaluate: Evaluate;
}

function parseAssignments(value: RawValue, above: string[]): Assignment[] {
  return elements(value.buf, value.start).flatMap(({ name, value: operand }) => {
    if (name.startsWith('$')) throw new CommandError(16410, `FieldPath field names may not start with '$': ${name}`);
    const steps = [...above, ...name.split('.')];
    const nested = operand.type === Type.object && !elements(operand.buf, operand.start)[0]?.name.startsWith('$');
    return nested && operand.end - operand.start > 5
      ? parseAssignments(operand, steps)
      : [{ steps, evaluate: parseExpression(operand) }];
  });
}

/** Sets a computed value; a missing one takes the field away. */
export function assign(root: ObjectNode, steps: string[], value: unknown): void {
  let node = root;
  for (const step of steps.slice(0, -1)) {
    const child: Node | undefined = node.fields.get(step);
    const opened = child && open(child);
    const next = opened && isObject(opened) ? opened : emptyObject();
    node.fields.set(step, next);
    node = next;
  }
  if (value === undefined) node.fields.delete(steps.at(-1) as string);
  else node.fields.set(steps.at(-1) as string, encodeValue(value));
}

export function addFields(value: RawValue): Reshape {
  if (value.type !== Type.object) throw new CommandError(40272, '$addFields specification stage must be an object');
  const assignments = parseAssignments(value, []);
  return (document) => {
    const root = openDocument(document);
    const results = assignments.map(({ steps, evaluate }) => ({ steps, result: evaluate({ document }) }));
    for (const { steps, result } of results) assign(root, steps, result);
    return closeDocument(root);
  };
}

export function unset(value: RawValue): string[] {
  const paths =
    value.type === Type.array ? elements(value.buf, value.start).map((item) => toText(item.value)) : [toText(value)];
  if (paths.length === 0 || paths.some((path) => !path))
    throw new CommandError(31002, '$unset specification must be a string or an array');
  return paths as string[];
}

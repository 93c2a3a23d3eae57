import { schemaChanges, type Resolve, type Schema } from './schema-changes.ts';

export interface Change {
  where: string;
  what: string;
  /** Whether a client made for the description before may fail. */
  breaks: boolean;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
type Media = { content?: { 'application/json'?: { schema: Schema } } };
interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Media & { required?: boolean };
  responses: Record<string, Media & { $ref?: string; headers?: Record<string, unknown> }>;
}
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

/** Compares two API descriptions. Only differences that clients can notice count, not descriptive text. */
export function apiChanges(before: Description, after: Description): Change[] {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const resolve = { before: resolver(before), after: resolver(after) };
  const gone = [...old.keys()].filter((name) => !now.has(name));
  const added = [...now.keys()].filter((name) => !old.has(name));
  return [
    ...gone.map((where) => ({ where, what: 'is gone', breaks: true })),
    ...added.map((where) => ({ where, what: 'is new', breaks: false })),
    ...[...old].flatMap(([where, operation]) => {
      const next = now.get(where);
      return next ? operationChanges(where, operation, next, resolve) : [];
    }),
  ];
}

type Both = { before: Resolve; after: Resolve };

function operationChanges(where: string, old: Operation, now: Operation, resolve: Both): Change[] {
  const breaking = (what: string): Change => ({ where, what, breaks: true });
  const needs = (operation: Operation) => JSON.stringify(operation.security);
  return [
    ...(old.operationId === now.operationId ? [] : [breaking(`is now called ${now.operationId}`)]),
    ...(needs(old) === needs(now) ? [] : [breaking(`needs ${needs(now)} and not ${needs(old)}`)]),
    ...parameterChanges(where, old.parameters ?? [], now.parameters ?? [], resolve),
    ...bodyChanges(where, old, now, resolve),
    ...Object.keys({ ...old.responses, ...now.responses }).flatMap((status) =>
      responseChanges(`${where} ${status}`, old.responses[status], now.responses[status], resolve),
    ),
  ];
}

function parameterChanges(where: string, old: Parameter[], now: Parameter[], resolve: Both): Change[] {
  const nameOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`;
  const [before, after] = [old, now].map((all) => new Map(all.map((each) => [nameOf(each), each])));
  return [...new Set([...old, ...now].map(nameOf))].flatMap((name) => {
    const [was, is] = [before?.get(name), after?.get(name)];
    if (!is) return [{ where, what: `${name} is gone`, breaks: true }];
    if (!was) return [{ where, what: `${name} is new`, breaks: is.required === true }];
    const demanded = is.required && !was.required ? [{ where, what: `${name} must be there now`, breaks: true }] : [];
    return [...demanded, ...schemaChanges(`${where} ${name}`, was.schema, is.schema, { ...resolve, sent: true })];
  });
}

function bodyChanges(where: string, old: Operation, now: Operation, resolve: Both): Change[] {
  const [was, is] = [old.requestBody, now.requestBody];
  if (!was && !is) return [];
  if (!is) return [{ where, what: 'takes no body any more', breaks: true }];
  if (!was) return [{ where, what: 'takes a body', breaks: is.required === true }];
  const demanded = is.required && !was.required ? [{ where, what: 'must have a body now', breaks: true }] : [];
  return [...demanded, ...schemaChanges(`${where} body`, schemaOf(was), schemaOf(is), { ...resolve, sent: true })];
}

function responseChanges(where: string, was: Media | undefined, is: Media | undefined, resolve: Both): Change[] {
  const isSuccess = / 2\d\d$/.test(where);
  if (!was || !is) return [{ where, what: is ? 'is new' : 'is gone', breaks: isSuccess }];
  const [old, now] = [resolve.before(was), resolve.after(is)] as [Operation['responses'][string], typeof was];
  const lost = Object.keys(old.headers ?? {}).filter((name) => !(name in ((now as typeof old).headers ?? {})));
  // Clients must be ready for any code of the catalogue; what it means for a call to have another is for a person to say.
  const changes = schemaChanges(where, schemaOf(old), schemaOf(now), { ...resolve, sent: false });
  return [
    ...lost.map((name) => ({ where, what: `the header ${name} is gone`, breaks: true })),
    ...changes.map((change) =>
      isSuccess ? change : { ...change, breaks: change.breaks && !/\.code /.test(`${change.where} `) },
    ),
  ];
}

const schemaOf = ({ content }: Media): Schema => content?.['application/json']?.schema ?? {};

function operationsOf({ paths }: Description): Map<string, Operation> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  return new Map(all);
}

function resolver(description: Description): Resolve {
  return (part) => {
    const { $ref } = part as { $ref?: string };
    if ($ref === undefined) return part as Schema;
    const steps = $ref.slice(2).split('/');
    return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], description) as Schema;
  };
}

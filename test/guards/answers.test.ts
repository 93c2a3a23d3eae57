import { describe, expect, it } from '@jest/globals';
import type { PackageDefinition } from '@grpc/proto-loader';
import { z } from 'zod';
import type { Route, RouteContext } from '../../services/gateway/src/routes/route.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import type { Services } from '../../services/gateway/src/routes/services.ts';
import { foreignDefinitions } from '../support/foreign-grpc.ts';

interface Field {
  name: string;
  type: string;
  label: string;
  typeName: string;
}
interface MessageType {
  type: { field: Field[] };
}

/** The fake services add this field to every message, and no answer of the API may contain it. */
const LATER = 'aFieldThatTheProtoGainsLater';

const protos = foreignDefinitions() as PackageDefinition & Record<string, MessageType>;
const typeOf = (name: string) => protos[`postroom.v1.${name.split('.').at(-1)}`] as MessageType;
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** The data layer serializes pages, and the type checker compares its items with the API description. */
const PAGE = Buffer.from('{}');

function sampleOf(message: MessageType): Record<string, unknown> {
  const fields = message.type.field.map((field) => [camel(field.name), valueOf(field)] as const);
  return { ...Object.fromEntries(fields), [LATER]: LATER };
}

function valueOf({ type, label, typeName }: Field): unknown {
  const one = oneOf(type, typeName);
  return label === 'LABEL_REPEATED' ? [one] : one;
}

function oneOf(type: string, typeName: string): unknown {
  if (type === 'TYPE_MESSAGE') return sampleOf(typeOf(typeName));
  if (type === 'TYPE_BOOL') return true;
  if (type === 'TYPE_BYTES') return PAGE;
  // Some text is JSON.
  return type === 'TYPE_STRING' ? '{}' : 1;
}

/** Each rpc answers with every field of its message, and one more in every message inside. */
const services = new Proxy({} as Services, {
  get: (_services, client: string) =>
    new Proxy({}, { get: (_methods, method: string) => () => Promise.resolve(answerOf(client, method)) }),
});

function answerOf(client: string, method: string): object {
  const service = `postroom.v1.${client.charAt(0).toUpperCase()}${client.slice(1)}Service`;
  const rpc = Object.values(protos[service] as object).find(
    ({ originalName }: { originalName: string }) => originalName === method,
  ) as { responseType: MessageType };
  return sampleOf(rpc.responseType);
}

/** A body for each of its forms, with no more in it than tells the form. */
function bodiesOf({ body }: Route): object[] {
  if (!body) return [{}];
  const { anyOf, oneOf: forms = anyOf ?? [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  const telling = (forms as { properties?: Record<string, { const?: unknown }> }[]).map(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, { const: value }]) => (value === undefined ? [] : [[name, value]])),
  );
  return telling.length === 0 ? [{}] : telling.map((entries) => Object.fromEntries(entries) as object);
}

/** Parts of a draft. Routes read them before they call a service. */
const MESSAGE = { to: [], body: {} };
const answering = routes.filter(({ reply }) => reply.schema);

describe('a field that a message gains later', () => {
  it.each(answering.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'does not leak through %s',
    async (_name, route) => {
      for (const body of bodiesOf(route)) {
        const answer = await route.call(
          { params: {}, query: {}, body: { ...MESSAGE, ...body } },
          services,
          {} as RouteContext,
        );
        expect(JSON.stringify(answer)).not.toContain(LATER);
      }
    },
  );

  it('is in what the services answered', () => {
    expect(JSON.stringify(answerOf('mailboxRead', 'getDraft')).split(LATER).length).toBeGreaterThan(6);
  });
});

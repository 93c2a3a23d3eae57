import Ajv from 'ajv/dist/2020';

const text = { type: 'string' };
const name = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$' };
const message = {
  type: 'object',
  required: ['role', 'content'],
  additionalProperties: false,
  properties: { role: { enum: ['system', 'user', 'assistant'] }, content: { type: 'string', minLength: 1 }, name },
};
/** The subset of JSON Schema that structured outputs accept: closed objects, whose properties are all required. */
const strict = {
  oneOf: [
    {
      type: 'object',
      required: ['type', 'properties', 'required', 'additionalProperties'],
      additionalProperties: false,
      properties: {
        type: { const: 'object' },
        properties: { type: 'object', maxProperties: 100, additionalProperties: { $ref: '#/$defs/strict' } },
        required: { type: 'array', items: text, uniqueItems: true },
        additionalProperties: { const: false },
      },
    },
    {
      type: 'object',
      required: ['type', 'items'],
      additionalProperties: false,
      properties: { type: { const: 'array' }, items: { $ref: '#/$defs/strict' } },
    },
    {
      type: 'object',
      required: ['type'],
      additionalProperties: false,
      properties: {
        type: { enum: ['string', 'number', 'integer', 'boolean'] },
        enum: { type: 'array', items: text, minItems: 1, maxItems: 1_000, uniqueItems: true },
      },
    },
  ],
};
const jsonSchema = {
  type: 'object',
  required: ['name', 'schema'],
  additionalProperties: false,
  properties: { name, description: text, strict: { type: 'boolean' }, schema: { $ref: '#/$defs/strict' } },
};
const format = (type: string, more: Record<string, object> = {}) => ({
  type: 'object',
  required: ['type', ...Object.keys(more)],
  additionalProperties: false,
  properties: { type: { const: type }, ...more },
});

/** As OpenAI's reference describes the body of POST /chat/completions, of which these are the parts that are used here. */
const request = {
  $defs: { strict },
  type: 'object',
  required: ['model', 'messages'],
  additionalProperties: false,
  not: { required: ['max_tokens', 'max_completion_tokens'] },
  properties: {
    model: { type: 'string', minLength: 1 },
    messages: { type: 'array', items: message, minItems: 1 },
    stream: { type: 'boolean' },
    max_tokens: { type: 'integer', minimum: 1 },
    max_completion_tokens: { type: 'integer', minimum: 1 },
    response_format: {
      oneOf: [format('text'), format('json_object'), format('json_schema', { json_schema: jsonSchema })],
    },
  },
};
const validate = new Ajv({ strict: false, allErrors: true }).compile(request);

interface Shape {
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
}
interface Chat {
  messages?: { content?: unknown }[];
  response_format?: { type?: string; json_schema?: { schema?: Shape } };
}

/** Reasons why the endpoint would refuse a request; empty when it would accept it. */
export function faultsOfRequest(body: unknown): string[] {
  const faults = validate(body) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
  const { messages = [], response_format: asked } = body as Chat;
  // Without the word somewhere in the prompt, a request for JSON is refused.
  const saysJson = messages.some(({ content }) => /json/i.test(String(content)));
  if (asked?.type === 'json_object' && !saysJson) faults.push('asks for JSON without saying so');
  return [...faults, ...optionalIn(asked?.json_schema?.schema).map((name) => `${name} is not required`)];
}

function optionalIn(shape: Shape | undefined): string[] {
  if (!shape) return [];
  const { properties = {}, required = [], items } = shape;
  const own = Object.keys(properties).filter((name) => !required.includes(name));
  return [...own, ...[...Object.values(properties), items].flatMap(optionalIn)];
}

import { z } from 'zod';

const description =
  'A group of nodes, or a condition; `{}` deps no filter. At most 5 levels, 50 conditions and 500 characters a value.';
const node = { $ref: '#/components/schemas/FilterNode' };
const nodes = { type: 'array', items: node };
const string = { type: 'string' };

/** The grammar belongs to the services that evaluate it: they name the path of a fault, so here any JSON may pass. */
export const filterTree = z
  .unknown()
  .meta({ type: 'object', description, anyOf: [{ type: 'object', maxProperties: 0 }, node] });

/** The grammar as the API description shows it; it is recursive, which is easier said in JSON Schema itself. */
export const filterNodeSchema = {
  oneOf: [
    { type: 'object', required: ['id', '_and'], properties: { id: string, _and: nodes } },
    { type: 'object', required: ['id', '_or'], properties: { id: string, _or: nodes } },
    {
      type: 'object',
      required: ['id', 'label', 'type', 'value'],
      properties: {
        id: string,
        label: { type: 'string', description: 'The field that is tested, such as `subject` or `read_status`.' },
        type: { type: 'string', description: 'The operator, such as `contains` or `is_false`.' },
        value: { type: 'string', maxLength: 500 },
      },
    },
  ],
};

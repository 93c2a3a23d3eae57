import { bounds } from '@postroom/contract/bounds';
import { FILTER_FIELDS, filterOperators } from '@postroom/contract/filter-fields';
import { z } from 'zod';

const { levels, conditions, valueLength, idLength, bytes } = bounds.filterTree;
const description = `A group of nodes, or a condition; \`{}\` means no filter. At most ${levels} levels, ${conditions} conditions, ${valueLength} characters a value and ${bytes} bytes as JSON.`;
const operators = [...new Set(Object.values(filterOperators).flat())];
const node = { $ref: '#/components/schemas/FilterNode' };
const nodes = { type: 'array', items: node };
const id = { type: 'string', maxLength: idLength };

/** The grammar belongs to the services that evaluate it: they name the path of a fault, so here any JSON may pass. */
export const filterTree = z
  .unknown()
  .meta({ type: 'object', description, anyOf: [{ type: 'object', maxProperties: 0 }, node] });

/** The grammar as the API description shows it; it is recursive, which is easier said in JSON Schema itself. */
export const filterNodeSchema = {
  oneOf: [
    { type: 'object', required: ['id', '_and'], properties: { id, _and: nodes } },
    { type: 'object', required: ['id', '_or'], properties: { id, _or: nodes } },
    {
      type: 'object',
      required: ['id', 'label', 'type', 'value'],
      properties: {
        id,
        label: { enum: FILTER_FIELDS, description: 'The field that is tested, such as `subject` or `read_status`.' },
        type: { enum: operators, description: 'The operator; which ones there are depends on the field.' },
        value: { type: 'string', maxLength: valueLength },
      },
    },
  ],
};

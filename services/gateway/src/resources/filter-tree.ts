import { bounds } from '@postroom/contract/bounds';
import { z } from 'zod';

const { levels, conditions, valueLength, bytes } = bounds.filterTree;
const description = `A group of nodes, or a condition; \`{}\` means no filter. At most ${levels} levels, ${conditions} conditions, ${valueLength} characters a value and ${bytes} bytes as JSON.`;
const node = { $ref: '#/components/schemas/FilterNode' };

/** The grammar belongs to the services that evaluate it: they name the path of a fault, so here any JSON may pass. */
export const filterTree = z
  .unknown()
  .meta({ type: 'object', description, anyOf: [{ type: 'object', maxProperties: 0 }, node] });

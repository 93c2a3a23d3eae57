import { bounds } from '@postroom/contract/bounds';
import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { atLeastOne } from './at-least-one.ts';
import { replySchema, requestSchema } from './schema-names.ts';
import { name as nameOf, boundedText } from './text.ts';

const fields = {
  id: z.string(),
  name: z.string().meta({ description: 'Unique among all labels of the workspace, ignoring case.' }),
  color: z.string().meta({
    description: 'Pink, Blue, Red, Yellow, Green, Purple and Orange are shown; any other value is kept, without color.',
  }),
  isAiLabel: z.boolean(),
};

export const labelRef = replySchema('LabelRef', z.object(fields));
const label = replySchema('Label', z.object({ ...fields, createdAt: dateTime }));
export const labelReply = replySchema('LabelReply', z.object({ label }));
export const labelListReply = replySchema('LabelListReply', z.object({ items: z.array(label) }));

const name = nameOf(bounds.labelName);
const color = boundedText(bounds.labelColor);
export const createLabelRequest = requestSchema('CreateLabelRequest', z.object({ name, color }));
export const updateLabelRequest = requestSchema(
  'UpdateLabelRequest',
  atLeastOne(z.object({ name: name.optional(), color: color.optional() })),
);

export function toJsonLabelRef({ id, name, color, isAiLabel }: proto.LabelRef): z.input<typeof labelRef> {
  return { id, name, color, isAiLabel };
}

export function toJsonLabel({ createdAt, ...ref }: proto.Label): z.input<typeof label> {
  return { ...toJsonLabelRef(ref), createdAt };
}

import {
  createLabelRequest,
  labelListReply,
  labelReply,
  toJsonLabel,
  updateLabelRequest,
} from '@postroom/resources/label';
import { defineRoute } from './route.ts';

const tag = 'Labels';

/** Keys without the permission could otherwise choose what is forwarded. */
export const NAMES_THAT_FORWARD =
  'A name that an active auto-forward rule names is given to a label, and taken from one, only with the Send emails permission.';

export const labelRoutes = [
  defineRoute({
    method: 'GET',
    path: '/labels',
    operationId: 'listLabels',
    tag,
    summary: 'All labels of the workspace',
    description: 'Manual labels and those of AI label rules, in one list without pages.',
    scope: 'read',
    reply: { status: 200, schema: labelListReply, description: 'The labels.' },
    errors: [],
    call: async (_input, { labelRule }, context) => {
      const { items } = await labelRule.listLabels({}, context);
      return { items: items.map(toJsonLabel) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/labels/{labelId}',
    operationId: 'getLabel',
    tag,
    summary: 'One label',
    scope: 'read',
    reply: { status: 200, schema: labelReply, description: 'The label.' },
    errors: ['LABEL_NOT_FOUND'],
    call: async ({ params }, { labelRule }, context) => ({
      label: toJsonLabel(await labelRule.getLabel(params, context)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/labels',
    operationId: 'createLabel',
    tag,
    summary: 'Create a manual label',
    description: NAMES_THAT_FORWARD,
    scope: 'write',
    idempotent: true,
    body: createLabelRequest,
    reply: { status: 201, schema: labelReply, description: 'The new label.' },
    errors: ['OUTBOUND_SEND_NOT_ALLOWED', 'DUPLICATE_TAG_NAME'],
    call: async ({ body }, { labelRule }, context) => ({
      label: toJsonLabel(await labelRule.createLabel({ ...body, maySend: context.maySend }, context)),
    }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/labels/{labelId}',
    operationId: 'updateLabel',
    tag,
    summary: 'Rename or recolor a manual label',
    description: `The label of an AI label rule is changed through its rule. ${NAMES_THAT_FORWARD}`,
    scope: 'write',
    body: updateLabelRequest,
    reply: { status: 200, schema: labelReply, description: 'The label as it is now.' },
    errors: ['LABEL_NOT_FOUND', 'OUTBOUND_SEND_NOT_ALLOWED', 'INVALID_TAG', 'DUPLICATE_TAG_NAME'],
    call: async ({ params: { labelId }, body: { name, color } }, { labelRule }, context) => {
      const { maySend } = context;
      return { label: toJsonLabel(await labelRule.updateLabel({ labelId, name, color, maySend }, context)) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/labels/{labelId}',
    operationId: 'deleteLabel',
    tag,
    summary: 'Delete a manual label',
    description: `Takes it off every email, and deletes the inbox filters that target it. ${NAMES_THAT_FORWARD}`,
    scope: 'write',
    reply: { status: 204, description: 'The label is gone.' },
    errors: ['LABEL_NOT_FOUND', 'OUTBOUND_SEND_NOT_ALLOWED', 'INVALID_TAG'],
    call: ({ params }, { labelRule }, context) =>
      labelRule.deleteLabel({ ...params, maySend: context.maySend }, context),
  }),
];

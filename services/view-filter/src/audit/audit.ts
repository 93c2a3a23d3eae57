import type { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { AuditTable } from '@postroom/rpc/audited';

export const viewFilterAudit: AuditTable<ViewFilterServiceDefinition> = {
  createView: { action: 'view.created', target: ({ name }, made) => ({ kind: 'view', id: made?.id ?? '', name }) },
  updateView: {
    action: 'view.updated',
    target: ({ viewId: id, name }, changed) => ({ kind: 'view', id, name: changed?.name ?? name }),
  },
  deleteView: { action: 'view.deleted', target: ({ viewId: id }) => ({ kind: 'view', id }) },
  createInboxFilter: {
    action: 'inbox_filter.created',
    target: ({ value: name }, made) => ({ kind: 'inbox_filter', id: made?.id ?? '', name }),
  },
  updateInboxFilter: {
    action: 'inbox_filter.updated',
    target: ({ filterId: id, value }, changed) => ({ kind: 'inbox_filter', id, name: changed?.value ?? value }),
  },
  deleteInboxFilter: {
    action: 'inbox_filter.deleted',
    target: ({ filterId: id }) => ({ kind: 'inbox_filter', id }),
  },
  // A part of deleting a label.
  forgetLabel: 'not audited',
};

import { asked, INVALID, NONE, type Row } from './row.ts';

const condition = { id: 'a', label: 'subject', type: 'contains', value: 'x' };

export const viewRows: Row[] = [
  ...asked('POST /views', INVALID, [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u2028b' }, 'name'],
    [{ name: 'V', icon: 'x'.repeat(33) }, 'icon'],
    [{ name: 'V', icon: '<b>' }, 'icon'],
    [{ name: 'V', icon: 7 }, 'icon'],
    [{ name: 'V', filters: [] }, 'filters'],
    [{ name: 'V', filters: 'x' }, 'filters'],
    [{ name: 'V', filters: { id: 'a' } }, 'filters'],
    [{ name: 'V', filters: { ...condition, id: 'x'.repeat(65) } }, 'filters.id'],
    [{ name: 'V', filters: { ...condition, label: 'size' } }, 'filters.label'],
    [{ name: 'V', filters: { id: 'a', _and: [], _or: [] } }, 'filters'],
  ]),
  ['PATCH /views/{viewId}', {}, INVALID, 'name'],
  ['PATCH /views/{viewId}', { mailboxIds: [] }, INVALID, 'name'],
  ['PATCH /views/{viewId}', { name: ' ' }, INVALID, 'name'],
  ['PATCH /views/{viewId}', { filters: { ...condition, type: 'is' } }, INVALID, 'filters.type'],
  ['PATCH /views/viw_none', { name: 'V' }, '404 VIEW_NOT_FOUND'],
  ['GET /views/viw_none', NONE, '404 VIEW_NOT_FOUND'],
  ['DELETE /views/viw_none', NONE, '404 VIEW_NOT_FOUND'],
];

export const filterRows: Row[] = [
  ...asked('POST /filters', INVALID, [
    [{}, 'type'],
    [{ type: 'subject' }, 'value'],
    [{ type: 'size', value: 'x' }, 'type'],
    [{ type: 'toString', value: 'x' }, 'type'],
    [{ type: 'subject', value: '' }, 'value'],
    [{ type: 'subject', value: 'x'.repeat(256) }, 'value'],
    [{ type: 'subject', value: '  ' }, 'value'],
    [{ type: 'sender', value: 'example.com' }, 'value'],
    [{ type: 'sender', value: 'a@b.c, d@e.f' }, 'value'],
    [{ type: 'domain', value: '@' }, 'value'],
    [{ type: 'domain', value: 'a@b.c' }, 'value'],
    [{ type: 'subject', value: { $ne: '' } }, 'value'],
  ]),
  ['POST /filters', { type: 'label', value: 'lbl_none' }, '404 LABEL_NOT_FOUND'],
  ['POST /filters', { type: 'label', value: '{labelId}' }, '409 DUPLICATE_FILTER', 'filterId'],
  ['PATCH /filters/{filterId}', {}, INVALID, 'type'],
  ['PATCH /filters/{filterId}', { type: 'sender' }, INVALID, 'value'],
  ['PATCH /filters/{filterId}', { value: null }, INVALID, 'value'],
  ['PATCH /filters/flt_none', { type: 'subject', value: 'x' }, '404 FILTER_NOT_FOUND'],
  ['GET /filters/flt_none', NONE, '404 FILTER_NOT_FOUND'],
  ['DELETE /filters/flt_none', NONE, '404 FILTER_NOT_FOUND'],
];

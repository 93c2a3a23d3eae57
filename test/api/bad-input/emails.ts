import { asked, INVALID, NONE, type Row } from './row.ts';

const emailIds = ['{emailId}'];
const ids = (count: number) => Array.from({ length: count }, (_, at) => `eml_${at}`);

export const emailRows: Row[] = [
  ...asked('PATCH /emails/{emailId}', INVALID, [
    [{}, 'isRead'],
    [{ isRead: 'true' }, 'isRead'],
    [{ isRead: null }, 'isRead'],
    [{ isStarred: 1 }, 'isStarred'],
    [{ isread: true }, 'isRead'],
    [[{ isRead: true }], 'body'],
  ]),
  ...asked('POST /emails/bulk', INVALID, [
    [{}, 'action'],
    [{ action: 'archive', emailIds }, 'action'],
    [{ action: 'markread', emailIds, isRead: true }, 'action'],
    [{ action: ['delete'], emailIds }, 'action'],
    [{ action: 'delete' }, 'emailIds'],
    [{ action: 'delete', emailIds: [] }, 'emailIds'],
    [{ action: 'delete', emailIds: '{emailId}' }, 'emailIds'],
    [{ action: 'delete', emailIds: [7] }, 'emailIds[0]'],
    [{ action: 'delete', emailIds: ['{emailId}', null] }, 'emailIds[1]'],
    [{ action: 'delete', emailIds: ['x'.repeat(201)] }, 'emailIds[0]'],
    [{ action: 'delete', emailIds: ['a\0'] }, 'emailIds[0]'],
    [{ action: 'delete', emailIds: ids(501) }, 'emailIds'],
    [{ action: 'markRead', emailIds }, 'isRead'],
    [{ action: 'markRead', emailIds, isRead: 'no' }, 'isRead'],
    [{ action: 'applyLabel', emailIds }, 'labelId'],
    [{ action: 'applyLabel', emailIds, labelId: '' }, 'labelId'],
    [{ action: 'removeLabel', emailIds, labelId: 7 }, 'labelId'],
  ]),
  ['POST /emails/bulk', { action: 'applyLabel', emailIds, labelId: 'lbl_none' }, '404 LABEL_NOT_FOUND'],
  ['POST /emails/bulk', { action: 'removeLabel', emailIds, labelId: 'lbl_none' }, '404 LABEL_NOT_FOUND'],
  ['POST /emails/bulk', { action: 'applyLabel', emailIds, labelId: '{aiLabelId}' }, '400 INVALID_TAG'],
  ['POST /emails/bulk', { action: 'removeLabel', emailIds, labelId: '{aiLabelId}' }, '400 INVALID_TAG'],
  ['GET /emails/eml_none', NONE, '404 EMAIL_NOT_FOUND'],
  ['GET /emails/{labelId}', NONE, '404 EMAIL_NOT_FOUND'],
  ['GET /emails/eml_none/body', NONE, '404 NOT_FOUND'],
  ['PATCH /emails/eml_none', { isRead: true }, '404 NOT_FOUND'],
  ['DELETE /emails/eml_none', NONE, '404 NOT_FOUND'],
  ['DELETE /emails/{trashlessId}', NONE, '400 NO_TRASH_FOLDER'],
  ['POST /emails/eml_none/labels/{labelId}', NONE, '404 EMAIL_NOT_FOUND'],
  ['POST /emails/{emailId}/labels/lbl_none', NONE, '404 LABEL_NOT_FOUND'],
  ['DELETE /emails/eml_none/labels/{labelId}', NONE, '404 EMAIL_NOT_FOUND'],
  ['DELETE /emails/{emailId}/labels/lbl_none', NONE, '404 LABEL_NOT_FOUND'],
];

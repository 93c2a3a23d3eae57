/** The filter tree of the conditions that the page of mail offers; undefined where there are none. */
export function filtersOf({ labelId, isUnread }: { labelId: string | undefined; isUnread: boolean }) {
  const conditions = [
    ...(labelId === undefined ? [] : [{ id: 'label', label: 'label', type: 'contains', value: labelId }]),
    ...(isUnread ? [{ id: 'unread', label: 'read_status', type: 'is_false', value: '' }] : []),
  ];
  return conditions.length === 0 ? undefined : JSON.stringify({ id: 'all', _and: conditions });
}

import { addressKey, isAddress } from '@postroom/contract/address';
import type { FieldFamily } from './field-family.ts';
import { textField } from './text-field.ts';
import type { Condition } from './tree.ts';

const sender = textField('from');

/**
 * The sender is text like any other field. For equality with an address only the address counts: it has an index, and
 * a display name that looks like an address does not match.
 */
export const senderField: FieldFamily = {
  ...sender,
  toQuery: (condition, context) => {
    const address = addressAsked(condition);
    if (address === undefined) return sender.toQuery(condition, context);
    return { senderAddress: condition.type === 'equals' ? address : { $ne: address } };
  },
};

function addressAsked({ type, value }: Condition): string | undefined {
  if (type !== 'equals' && type !== 'not_equals') return undefined;
  const address = addressKey(value);
  return isAddress(address) ? address : undefined;
}

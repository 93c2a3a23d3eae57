import { addressKey, domainKey, isAddress } from '@postroom/contract/address';
import type { EmailDocument, FoldedPart } from '@postroom/mail-store/documents/email';
import {
  type Condition,
  type FilterContext,
  type FilterNode,
  type FilterTree,
  isEmptyTree,
} from '@postroom/mail-store/filter-tree/tree';
import { foldCase } from '@postroom/mail-store/fold';

type Reading = (condition: Condition, email: EmailDocument, context: FilterContext) => boolean;

const DAY_MS = 86_400_000;

/** A direct implementation of every operator on one email. Tests compare the compiled queries with it. */
export function matchesFilters(tree: FilterTree, email: EmailDocument, context: FilterContext): boolean {
  return isEmptyTree(tree) || matchesNode(tree as FilterNode, email, context);
}

function matchesNode(node: FilterNode, email: EmailDocument, context: FilterContext): boolean {
  if ('_and' in node) return node._and.every((child) => matchesNode(child, email, context));
  if ('_or' in node) return node._or.some((child) => matchesNode(child, email, context));
  return readings[node.label](node, email, context);
}

const text =
  (...parts: (keyof FoldedPart)[]): Reading =>
  ({ type, value }, { folded }) => {
    const asked = foldCase(value);
    const isMet = (part: keyof FoldedPart) => {
      const lines = folded[part].split('\n').filter(Boolean);
      if (asked === '') return !type.endsWith('equals') || lines.length === 0;
      if (type.endsWith('equals')) return lines.includes(asked);
      if (type === 'starts_with') return lines.some((line) => line.startsWith(asked));
      if (type === 'ends_with') return lines.some((line) => line.endsWith(asked));
      return lines.some((line) => line.includes(asked));
    };
    return parts.some(isMet) !== type.startsWith('not_');
  };

const sender: Reading = (condition, email, context) => {
  const { type, value } = condition;
  const isWholeAddress = type.endsWith('equals') && isAddress(addressKey(value));
  if (!isWholeAddress) return text('from')(condition, email, context);
  return (email.senderAddress === addressKey(value)) === (type === 'equals');
};

const labels =
  (kind: 'labelIds' | 'aiLabelIds'): Reading =>
  ({ type, value }, email, context) => {
    const alive = email.labelIds.filter((id) => context[kind].includes(id));
    const isMet = type.endsWith('contains') ? alive.includes(value) : alive.length === 0;
    return isMet !== type.includes('not_');
  };

const flag =
  (name: 'isRead' | 'isStarred' | 'hasAttachments' | 'waitingForReply' | 'isAutoReply' | 'isAutoForward'): Reading =>
  ({ type }, email) =>
    email[name] === (type === 'is_true');

const date: Reading = ({ type, value }, email, { now }) => {
  const at = email.date.getTime();
  if (type === 'in_last_days') return at >= now.getTime() - Number(value) * DAY_MS;
  const asked = Date.parse(value);
  if (type === 'before') return at < asked;
  if (type === 'after') return value.length === 10 ? at >= asked + DAY_MS : at > asked;
  return Math.floor(at / DAY_MS) === Math.floor(asked / DAY_MS);
};

const readings: Readonly<Record<Condition['label'], Reading>> = {
  from: sender,
  to: text('to'),
  cc: text('cc'),
  subject: text('subject'),
  body: text('text'),
  any_text: text('from', 'to', 'cc', 'subject', 'text'),
  sender_domain: ({ type, value }, email) => (email.senderDomain === domainKey(value)) === (type === 'equals'),
  ai_label: labels('aiLabelIds'),
  label: labels('labelIds'),
  read_status: flag('isRead'),
  star_status: flag('isStarred'),
  has_attachments: flag('hasAttachments'),
  waiting_for_reply: flag('waitingForReply'),
  is_auto_reply: flag('isAutoReply'),
  is_auto_forward: flag('isAutoForward'),
  date,
  folder: ({ type, value }, email) => (email.folderType === value) === (type === 'equals'),
};

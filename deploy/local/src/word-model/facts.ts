import type { SeenEmail } from './question.ts';

/** A part of a condition that is about what the mail system knows, and not about the text of the mail. */
interface Fact {
  said: RegExp;
  /** Undefined where it is not known. */
  holds(mail: SeenEmail, condition: string): boolean | undefined;
}

const KINDS = [
  { named: /\bpdfs?\b/i, seen: /pdf/ },
  { named: /\b(?:images?|photos?|pictures?)\b/i, seen: /^image\/|\.(?:png|jpe?g|gif|heic|webp)$/ },
  { named: /\b(?:spreadsheets?|excel)\b/i, seen: /spreadsheet|excel|csv|\.(?:xlsx?|ods)$/ },
  { named: /\b(?:calendar|invitations?)\b/i, seen: /calendar|\.ics$/ },
];
/** Words around an attachment that say nothing else. */
const OF_ATTACHMENTS =
  /\b(?:attach(?:ed|ments?)|pdfs?|images?|photos?|pictures?|spreadsheets?|excel|calendar|invitations?|files?|as)\b/gi;

const FACTS: readonly Fact[] = [
  {
    said: /\battach(?:ed|ments?)\b/i,
    holds: ({ attachments }, condition) => {
      const asked = KINDS.find(({ named }) => named.test(condition));
      const texts = attachments.flatMap(({ name, type }) => [name.toLowerCase(), type.toLowerCase()]);
      return asked ? texts.some((text) => asked.seen.test(text)) : attachments.length > 0;
    },
  },
  { said: /\b(?:(?:am|is|are) )?(?:only )?(?:in copy|copied|in cc)\b/i, holds: ({ facts }) => isIn(facts, 'cc') },
  {
    said: /\b(?:sent |addressed |written )?(?:directly|personally) to (?:me|us)\b|\baddressed to (?:me|us)\b/i,
    holds: ({ facts }) => isIn(facts, 'to'),
  },
  {
    said: /\b(?:I|we) have never (?:written|wrote) to\b|\bunknown senders?\b/i,
    holds: ({ facts }) => !facts.hasWrittenToSender,
  },
  { said: /\b(?:I|we) have written to\b/i, holds: ({ facts }) => facts.hasWrittenToSender },
];

interface ReadFacts {
  /** The condition without the parts that are about facts. */
  rest: string;
  /** Whether all these parts hold; undefined where that is not known, null where there are none. */
  hold: boolean | undefined | null;
}

export function readFacts(condition: string, mail: SeenEmail): ReadFacts {
  let rest = condition;
  const found = FACTS.flatMap(({ said, holds }) => {
    const [part] = said.exec(rest) ?? [];
    if (part === undefined) return [];
    rest = rest.replace(/^attach/i.test(part) ? OF_ATTACHMENTS : part, ' ');
    return [holds(mail, condition)];
  });
  if (found.length === 0) return { rest, hold: null };
  if (found.includes(false)) return { rest, hold: false };
  return { rest, hold: found.includes(undefined) ? undefined : true };
}

const isIn = ({ mailboxIn }: SeenEmail['facts'], wanted: 'to' | 'cc') => mailboxIn && mailboxIn === wanted;

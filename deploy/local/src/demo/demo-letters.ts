import { ACCOUNTS, COLLEAGUES, customer, MARA, PARTNERS, SUPPORT, type Language } from './cast.ts';
import { conversation } from './conversation.ts';
import type { DemoLetter, Topic } from './letter.ts';
import { ALERTS, BILLS, NEWSLETTERS, SPAM } from './notices.ts';
import { draftLetter, noticeLetter } from './notice-letter.ts';
import { createRandom } from './random.ts';
import type { Setting } from './setting.ts';
import { SUPPORT_TALKS, WORK_TALKS } from './talk-english.ts';
import { FOREIGN_TALKS } from './talk-foreign.ts';

export interface DemoOptions {
  seed: number;
  count: number;
  /** The mail ends here and begins a year before. */
  now: Date;
}

const YEAR = 365 * 86_400_000;
const LANGUAGES: readonly Exclude<Language, 'en'>[] = ['de', 'de', 'fr', 'fr', 'es', 'sv', 'ru', 'ja'];

type Maker = (setting: Setting) => Iterable<DemoLetter>;

/** The kinds of mail of a workshop, and their share in percent. */
const OCCASIONS: readonly { share: number; make: Maker }[] = [
  { share: 15, make: workTalk },
  { share: 15, make: supportTalk },
  { share: 10, make: foreignTalk },
  { share: 6, make: teamTalk },
  { share: 18, make: newsletter },
  {
    share: 12,
    make: (setting) => [noticeLetter(setting, setting.random.pick(BILLS), inboxOf(setting, ACCOUNTS, 'bill'))],
  },
  {
    share: 12,
    make: (setting) => [noticeLetter(setting, setting.random.pick(ALERTS), inboxOf(setting, SUPPORT, 'alert'))],
  },
  { share: 9, make: spam },
  { share: 3, make: (setting) => [draftLetter(setting, setting.random.between(MARA, ACCOUNTS))] },
];

/** Exactly `count` letters from a seed, occasion after occasion through the year. */
export function* demoLetters({ seed, count, now }: DemoOptions): Generator<DemoLetter> {
  const random = createRandom(seed);
  let made = 0;
  for (let number = 0; made < count; number += 1) {
    // Dates are spread evenly over the year with a little scatter. The last minutes stay free for mail that follows.
    const back = Math.max(300_000, YEAR * (1 - made / count) - random.between(0, 40_000_000));
    const start = new Date(now.getTime() - back);
    for (const letter of drawOccasion({ random, seed, number, start, now })) {
      if (made === count) return;
      made += 1;
      yield letter;
    }
  }
}

function drawOccasion(setting: Setting): Iterable<DemoLetter> {
  let left = setting.random.between(0, 99);
  for (const { share, make } of OCCASIONS) {
    if (left < share) return make(setting);
    left -= share;
  }
  return newsletter(setting);
}

function workTalk(setting: Setting): Iterable<DemoLetter> {
  const { random } = setting;
  const other = random.pick(PARTNERS.filter(({ language }) => language === 'en'));
  const mailbox = random.chance(0.8) ? MARA : ACCOUNTS;
  return conversation(setting, { mailbox, topic: 'work', other, talk: random.pick(WORK_TALKS) });
}

function teamTalk(setting: Setting): Iterable<DemoLetter> {
  const { random } = setting;
  const other = random.pick(COLLEAGUES);
  return conversation(setting, { mailbox: MARA, topic: 'team', other, talk: random.pick(WORK_TALKS) });
}

function supportTalk(setting: Setting): Iterable<DemoLetter> {
  const { random } = setting;
  const other = customer(random.between(0, 4_000), 'en');
  return conversation(setting, { mailbox: SUPPORT, topic: 'support', other, talk: random.pick(SUPPORT_TALKS) });
}

function foreignTalk(setting: Setting): Iterable<DemoLetter> {
  const { random } = setting;
  const language = random.pick(LANGUAGES);
  const talk = random.pick(FOREIGN_TALKS[language]);
  const partners = PARTNERS.filter((partner) => partner.language === language);
  if (partners.length > 0 && random.chance(0.4)) {
    return conversation(setting, { mailbox: MARA, topic: 'work', other: random.pick(partners), talk });
  }
  const other = customer(random.between(0, 4_000), language);
  return conversation(setting, { mailbox: SUPPORT, topic: 'support', other, talk });
}

function newsletter(setting: Setting): DemoLetter[] {
  const { random } = setting;
  const folderType = random.chance(0.15) ? 'TRASH' : 'INBOX';
  const mailbox = random.chance(0.85) ? MARA : SUPPORT;
  return [noticeLetter(setting, random.pick(NEWSLETTERS), { mailbox, folderType, topic: 'newsletter', isList: true })];
}

function spam(setting: Setting): DemoLetter[] {
  const { random } = setting;
  const mailbox = random.between(MARA, ACCOUNTS);
  return [noticeLetter(setting, random.pick(SPAM), { mailbox, folderType: 'SPAM', topic: 'spam' })];
}

function inboxOf({ random }: Setting, usual: number, topic: Topic) {
  const folderType = random.chance(0.05) ? ('TRASH' as const) : ('INBOX' as const);
  return { mailbox: random.chance(0.75) ? usual : MARA, folderType, topic };
}

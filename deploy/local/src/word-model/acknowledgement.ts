import type { SeenEmail } from './question.ts';

interface Language {
  /** Small words that hardly any other of these languages has. */
  words: ReadonlySet<string>;
  say: (subject: string) => string;
}

const words = (list: string) => new Set(list.split(' '));

/** The first is the default. */
const LANGUAGES: readonly [Language, ...Language[]] = [
  {
    words: words('the and is are you your please with this that have for would could we'),
    say: (subject) =>
      `Hello,\n\nthank you for your message${about(subject, '"', '"')}. It has arrived, and you will have an answer soon.\n\nKind regards`,
  },
  {
    words: words('der die das und ist sind sie ihr bitte mit nicht ich wir haben eine einen für auf'),
    say: (subject) =>
      `Guten Tag,\n\nvielen Dank für Ihre Nachricht${about(subject, '„', '“')}. Sie ist angekommen, und Sie erhalten bald eine Antwort.\n\nFreundliche Grüße`,
  },
  {
    words: words('le la les et est vous votre merci avec une des pour nous avez dans que pas'),
    say: (subject) =>
      `Bonjour,\n\nmerci pour votre message${about(subject, '« ', ' »')}. Il est bien arrivé, et vous aurez bientôt une réponse.\n\nCordialement`,
  },
  {
    words: words('el los las y es usted su gracias con una por para que nos hay pero tengo'),
    say: (subject) =>
      `Hola:\n\nGracias por su mensaje${about(subject, '«', '»')}. Ha llegado bien, y pronto tendrá una respuesta.\n\nUn saludo`,
  },
];
const LONGEST_SUBJECT = 80;

/** A confirmation of receipt in the probable language of the mail. It needs no understanding of the text. */
export function acknowledgement({ subject, text }: SeenEmail): string {
  const said = `${subject} ${text}`.toLowerCase().match(/\p{L}+/gu) ?? [];
  const countIn = (language: Language) => said.filter((word) => language.words.has(word)).length;
  const [first, ...others] = LANGUAGES;
  const language = others.reduce((best, other) => (countIn(other) > countIn(best) ? other : best), first);
  return language.say(subject.trim());
}

function about(subject: string, open: string, close: string): string {
  return subject === '' || subject.length > LONGEST_SUBJECT ? '' : ` ${open}${subject}${close}`;
}

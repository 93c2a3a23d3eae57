/** One message of a drawn conversation: its own id, what it answers, what it refers to, and its subject. */
export interface Drawn {
  id: string;
  answers?: string;
  refers?: string[];
  subject?: string;
  /** Comes into Spam. */
  isSpam?: true;
}

export interface Conversation {
  name: string;
  messages: Drawn[];
  /** The message ids of each expected thread. */
  threads: string[][];
}

const chain = (length: number): Drawn[] =>
  Array.from({ length }, (_, n) => ({ id: `m${n}`, ...(n > 0 && { answers: `m${n - 1}` }) }));

/** Awkward conversations, each with its threads as a person would draw them. */
export const conversations: Conversation[] = [
  {
    name: 'a question and its answer',
    messages: [{ id: 'q' }, { id: 'a', answers: 'q', refers: ['q'] }],
    threads: [['q', 'a']],
  },
  {
    name: 'an answer whose middle is missing',
    messages: [{ id: 'q' }, { id: 'late', answers: 'lost', refers: ['q', 'lost'] }],
    threads: [['q', 'late']],
  },
  {
    name: 'two answers to a message that nobody has',
    messages: [
      { id: 'a', answers: 'gone' },
      { id: 'b', answers: 'gone' },
      { id: 'c', answers: 'other' },
    ],
    threads: [['a', 'b'], ['c']],
  },
  {
    name: 'a fork',
    messages: [
      { id: 'q' },
      { id: 'left', answers: 'q' },
      { id: 'right', answers: 'q' },
      { id: 'deep', answers: 'right', refers: ['q', 'right'] },
    ],
    threads: [['q', 'left', 'right', 'deep']],
  },
  {
    name: 'a subject that changes on the way',
    messages: [
      { id: 'q', subject: 'Lunch' },
      { id: 'a', answers: 'q', subject: 'Dinner (was: Lunch)' },
    ],
    threads: [['q', 'a']],
  },
  {
    name: 'the same subject without references',
    messages: [
      { id: 'a', subject: 'Invoice' },
      { id: 'b', subject: 'Invoice' },
      { id: 'c', subject: 'Re: Invoice' },
    ],
    threads: [['a'], ['b'], ['c']],
  },
  {
    name: 'a loop of references',
    messages: [
      { id: 'a', refers: ['b'] },
      { id: 'b', refers: ['c'] },
      { id: 'c', refers: ['a'] },
      { id: 'self', refers: ['self'], answers: 'self' },
    ],
    threads: [['a', 'b', 'c'], ['self']],
  },
  {
    name: 'a message that refers to two threads and answers neither by name',
    messages: [
      { id: 'a' },
      { id: 'a2', answers: 'a' },
      { id: 'b' },
      { id: 'b2', answers: 'b' },
      { id: 'last', refers: ['a2', 'b2'] },
    ],
    threads: [
      ['a', 'a2'],
      ['b', 'b2', 'last'],
    ],
  },
  {
    name: 'a message that names five threads and answers one',
    messages: [
      ...['a', 'b', 'c', 'd', 'e'].map((id) => ({ id })),
      { id: 'e2', answers: 'e' },
      { id: 'all', answers: 'a', refers: ['b', 'c', 'd', 'e'] },
    ],
    threads: [['a', 'all'], ['b'], ['c'], ['d'], ['e', 'e2']],
  },
  {
    name: 'a message that answers what nobody has and refers to four threads',
    messages: [
      ...['a', 'b', 'c', 'd'].map((id) => ({ id })),
      { id: 'all', answers: 'gone', refers: ['a', 'b', 'c', 'd'] },
      { id: 'more', answers: 'all' },
    ],
    threads: [['a'], ['b'], ['c'], ['all', 'd', 'more']],
  },
  {
    name: 'spam between three threads',
    messages: [
      { id: 'a' },
      { id: 'b' },
      { id: 'b2', answers: 'b', refers: ['b', 'spam'] },
      { id: 'c', answers: 'spam' },
      { id: 'spam', answers: 'a', refers: ['b'], isSpam: true },
    ],
    threads: [['a', 'spam'], ['b', 'b2'], ['c']],
  },
  {
    name: 'spam that answers nothing, and an answer to it',
    messages: [
      { id: 'spam', isSpam: true },
      { id: 'a', answers: 'spam' },
      { id: 'a2', answers: 'a' },
    ],
    threads: [['a', 'a2', 'spam']],
  },
  {
    name: 'a missing middle that comes and answers the same',
    messages: [{ id: 'q' }, { id: 'late', answers: 'lost', refers: ['q', 'lost'] }, { id: 'lost', answers: 'q' }],
    threads: [['q', 'late', 'lost']],
  },
  {
    name: 'a missing middle that comes and belongs elsewhere',
    messages: [
      { id: 'q' },
      { id: 'other' },
      { id: 'late', answers: 'lost', refers: ['q'] },
      { id: 'later', answers: 'late' },
      { id: 'lost', answers: 'other' },
    ],
    threads: [['q'], ['late', 'later', 'lost', 'other']],
  },
  { name: 'a long chain', messages: chain(30), threads: [chain(30).map(({ id }) => id)] },
  {
    name: 'two chains that cross through messages nobody has',
    messages: [
      { id: 'a1', refers: ['x'] },
      { id: 'b1', refers: ['y'] },
      { id: 'a2', answers: 'a1' },
      { id: 'b2', answers: 'b1' },
      { id: 'z', refers: ['x', 'y'] },
    ],
    threads: [
      ['a1', 'a2'],
      ['b1', 'b2', 'z'],
    ],
  },
];

import type { DraftAnswer, DraftRowAnswer } from '@postroom/app/answers';

type State = Pick<DraftAnswer, 'id' | 'date'>;

/** A person sends only a text that is on the screen: the text of this very state of the draft. */
export const maySend = ({ id, date }: Pick<DraftRowAnswer, 'id' | 'date'>, shown: State | undefined): boolean =>
  shown !== undefined && shown.id === id && shown.date === date;

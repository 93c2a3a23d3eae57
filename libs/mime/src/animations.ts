/** The declarations of one frame of an animation. */
export interface Frame {
  /** Such as `from`, `to` or `50%`, several with commas. */
  when: string;
  declarations: string;
}

/** The parts of an animation in which its text is not to be seen. */
interface Hidden {
  start: boolean;
  end: boolean;
  always: boolean;
}
export type HidingAnimations = ReadonlyMap<string, Hidden>;

const ANIMATION = /(?:^|[;\s])(?:-webkit-)?animation(?:-name)?\s*:([^;!]+)/gi;
const STAYS = /(?:^|[;\s])(?:-webkit-)?animation(?:-fill-mode)?\s*:[^;:]*\b(?:forwards|both)\b/i;
const PAUSED = /(?:^|[;\s])(?:-webkit-)?animation(?:-play-state)?\s*:[^;:]*\bpaused\b/i;
const START = /(?:^|[,\s])(?:from|0%)/i;
const END = /(?:^|[,\s])(?:to|100%)/i;
const WORD = /[^\s,]+/g;
const MOST_WORDS = 30;

export function hidingAnimations(
  animations: ReadonlyMap<string, readonly Frame[]>,
  hides: (declarations: string) => boolean,
): HidingAnimations {
  const hiding = [...animations].map(([name, frames]): [string, Hidden] => {
    const hidden = frames.filter(({ declarations }) => hides(declarations));
    const start = hidden.some(({ when }) => START.test(when));
    const end = hidden.some(({ when }) => END.test(when));
    return [name, { start, end, always: start && end && hidden.length === frames.length }];
  });
  return new Map(hiding.filter(([, { start, end }]) => start || end));
}

/** Whether an animation keeps a text from people for good. One that blinks, or comes up, is read. */
export function hidesByAnimation(style: string, animations: HidingAnimations): boolean {
  if (animations.size === 0) return false;
  const words = [...style.matchAll(ANIMATION)].flatMap(([, written = '']) => written.match(WORD) ?? []);
  return words.slice(0, MOST_WORDS).some((word) => {
    const hidden = animations.get(word.replace(/["']/g, ''));
    if (!hidden) return false;
    return hidden.always || (hidden.end && STAYS.test(style)) || (hidden.start && PAUSED.test(style));
  });
}

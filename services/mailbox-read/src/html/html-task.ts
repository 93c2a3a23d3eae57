import { hidesText } from '@postroom/mime/hides-text';
import { writtenText } from '@postroom/mime/visible-text';
import { type Images, sanitise, TooMuch } from './sanitise.ts';

/** Html that is to be cleaned with these images, or to be read as text. */
export type HtmlTask = { html: string; images: Images } | { html: string; asText: true };

export interface HtmlText {
  text: string;
  hidesText: boolean;
}

export type Result<T extends HtmlTask> = T extends { asText: true } ? HtmlText : string;

/** Null where it is of a kind that is not read at all. */
export function runHtmlTask<T extends HtmlTask>(task: T): Result<T> | null {
  return resultOf(task) as Result<T> | null;
}

function resultOf(task: HtmlTask): HtmlText | string | null {
  const { html } = task;
  if ('asText' in task) return { text: writtenText(html), hidesText: hidesText(html) };
  try {
    return sanitise(html, task.images);
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
}

import { inspect } from 'node:util';

/** A credential. Printed, logged or written as JSON it shows nothing; its reader asks for it explicitly. */
export interface Secret {
  reveal(): string;
  toJSON(): string;
  toString(): string;
}

const SHOWN = '[secret]';
const show = () => SHOWN;

export function secretOf(text: string): Secret {
  return Object.freeze({ reveal: () => text, toJSON: show, toString: show, [inspect.custom]: show });
}

import { type RawValue, Type, skipName } from '../bson/raw.ts';
import { toText } from '../bson/value.ts';
import { CommandError, badValue } from '../protocol/errors.ts';

function compile(source: string, options: string): RegExp {
  let flags = '';
  for (const option of options) {
    if (!'ims'.includes(option)) throw badValue(`the regular expression option '${option}' is not supported`);
    if (!flags.includes(option)) flags += option;
  }
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Escapes that only PCRE knows, such as `\-`, are refused in unicode mode but mean the same without it.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new CommandError(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

/** A regular expression that stands as a BSON value of its own. */
export function regexOfValue({ buf, start }: RawValue): RegExp {
  const optionsStart = skipName(buf, start);
  return compile(
    buf.toString('utf8', start, optionsStart - 1),
    buf.toString('utf8', optionsStart, skipName(buf, optionsStart) - 1),
  );
}

/** `{ $regex, $options }`, where $regex may be text or an expression with options of its own. */
export function regexOf(pattern: RawValue, options: RawValue | undefined): RegExp {
  const given = options ? toText(options) : '';
  if (given === undefined) throw badValue('$options has to be a string');
  if (pattern.type === Type.regex) {
    const own = regexOfValue(pattern);
    return options ? compile(own.source, given) : own;
  }
  const source = toText(pattern);
  if (source === undefined) throw badValue('$regex has to be a string');
  return compile(source, given);
}

/** The text that everything matching must begin with, when the expression is anchored and plain up to there. */
export function literalPrefix(regex: RegExp): string | undefined {
  if (regex.flags.includes('i') || regex.flags.includes('m') || regex.source.includes('|')) return undefined;
  const found = /^\^([A-Za-z0-9 @_:,;<>=!"'#%&~`/-]+)(.?)/su.exec(regex.source);
  if (!found) return undefined;
  const [, prefix = '', next = ''] = found;
  // A quantifier takes back the character before it.
  return '*?{'.includes(next) && next !== '' ? prefix.slice(0, -1) || undefined : prefix;
}

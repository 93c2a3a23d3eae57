import { NAMED_COLORS } from './color-names.ts';

/** Red, green, blue, each from 0 to 255. */
export type Color = readonly [number, number, number];

interface WrittenColor {
  color: Color;
  /** From 0, which shows nothing, to 1. */
  alpha: number;
}

const HEX = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
const FUNCTION = /^(rgb|hsl|hwb)a?\(([^()]{1,100})\)/;
/** Of the notations by lightness only the two ends are told: each of them is white or black, whatever its hue. */
const BY_LIGHTNESS = /^(ok)?(?:lab|lch)\(\s*([\d.]{1,12})(%?)\s[^()/]{1,60}(?:\/\s*([\d.]{1,12})(%?)\s*)?\)/;
const BY_PARTS = /^color\(\s*srgb\s([^()]{1,100})\)/;
const DEGREES = new Map([
  ['turn', 360],
  ['rad', 180 / Math.PI],
  ['grad', 0.9],
]);

/** A color in the notations of CSS and of html attributes. Undefined for everything else, such as `inherit`. */
export function readColor(text: string): WrittenColor | undefined {
  const written = text.trim().toLowerCase();
  if (written === 'transparent') return { color: [0, 0, 0], alpha: 0 };
  const hex = NAMED_COLORS.get(written) ?? HEX.exec(written)?.[1];
  if (hex !== undefined) return ofHex(hex);
  const [, ok, lightness, percent, opacity = '1', ofHundred] = BY_LIGHTNESS.exec(written) ?? [];
  if (lightness !== undefined) {
    const share = Number(lightness) / (ok !== undefined && percent === '' ? 1 : 100);
    return ofLightness(share, Number(opacity) / (ofHundred === '%' ? 100 : 1));
  }
  const [, share] = BY_PARTS.exec(written) ?? [];
  if (share !== undefined) return ofShares(share);
  const [, model = '', values = ''] = FUNCTION.exec(written) ?? [];
  const parts = values.split(/[\s,/]+/).filter((part) => part !== '');
  return parts.length === 3 || parts.length === 4 ? ofParts(model, parts) : undefined;
}

function ofHex(hex: string): WrittenColor {
  const pairs = (hex.length <= 4 ? [...hex].map((digit) => digit + digit) : hex.match(/../g)) ?? [];
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16));
  return { color: [red, green, blue], alpha: alpha / 255 };
}

function ofLightness(lightness: number, alpha: number): WrittenColor | undefined {
  if (lightness >= 0.99) return { color: [255, 255, 255], alpha };
  return lightness <= 0.01 || alpha === 0 ? { color: [0, 0, 0], alpha } : undefined;
}

/** Each part is a share of all. */
function ofShares(written: string): WrittenColor | undefined {
  const [red = '', green = '', blue = '', opacity = '1'] = written.split(/[\s/]+/).filter((part) => part !== '');
  const [one = 0, two = 0, three = 0, alpha = 0] = [red, green, blue, opacity].map((part) =>
    part.endsWith('%') || part === 'none' ? partOf(part) : Number.parseFloat(part),
  );
  const color: Color = [one * 255, two * 255, three * 255];
  return [...color, alpha].some(Number.isNaN) ? undefined : { color, alpha };
}

function ofParts(
  model: string,
  [first = '', second = '', third = '', opacity = '1']: string[],
): WrittenColor | undefined {
  const [one, two] = [partOf(second), partOf(third)];
  const color: Color =
    model === 'rgb'
      ? [byteOf(first), byteOf(second), byteOf(third)]
      : model === 'hsl'
        ? fromHsl(degreesOf(first), one, two)
        : fromHwb(degreesOf(first), one, two);
  const alpha = opacity.endsWith('%') ? partOf(opacity) : Number.parseFloat(opacity);
  return [...color, alpha].some(Number.isNaN) ? undefined : { color, alpha };
}

const byteOf = (text: string): number => (text.endsWith('%') ? partOf(text) * 255 : Number.parseFloat(text));
/** `none` is nothing of it. */
const partOf = (text: string): number => (text === 'none' ? 0 : Number.parseFloat(text) / 100);

function degreesOf(text: string): number {
  const unit = text.replace(/^[-+.\d]+/, '');
  return text === 'none' ? 0 : Number.parseFloat(text) * (DEGREES.get(unit) ?? 1);
}

/** By the formulas of CSS Color 4. */
function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const at = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

function fromHwb(hue: number, white: number, black: number): Color {
  if (white + black >= 1) {
    const gray = (255 * white) / (white + black);
    return [gray, gray, gray];
  }
  const [red, green, blue] = fromHsl(hue, 1, 0.5);
  const mixed = (channel: number) => channel * (1 - white - black) + 255 * white;
  return [mixed(red), mixed(green), mixed(blue)];
}

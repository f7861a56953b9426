/**
 * The words for layout and text (words.ts): `look({ gap: 8, tone: "ink-3" })`, or the same as props of a part (parts.tsx). Each is a class of
 * parts.css, and style sheets of features win over them.
 */
import type { WORDS } from "./words";

type Words = typeof WORDS;

/** Numbers are px. */
export type Look = {
  [W in keyof Words]?: Words[W][number] | (true extends Words[W][number] ? false : never) | undefined;
};

/** All words, for which a page doesn't load the values. */
export const NAMES = new Set(
  "mono,num,layout,wrap,align,center,justify,self,gap,gapX,columns,grow,rigid,shrink,whole,full,place,p,px,py,pt,pb,m,mt,mb,ms,me,minH,h,surface,fill,border,lineAbove,lineBelow,radius,shadow,clip,scroll,size,code,weight,leading,tone,lineH,textAlign,space,truncate,ellipsis,breaks,balance,bullets,underline,pointer,spoken,w,minW,maxW,maxH,touch,fit,hide,hover,noPrint,noTouch,toned,reveal,reveals,bleed,plainLink,smallColumns,phoneColumns,ring,darkens,monoField,dot,figure,clamp,tab,spokenAt,smallGap,smallP,smallPx,smallPy,smallPt,smallPb,smallH,smallMinH,iconOnly".split(
    ",",
  ),
);

export const isWord = (name: string): name is keyof Look => NAMES.has(name);

export const classOf = (word: string, value: string | number | boolean): string =>
  value === true ? `l-${word}` : `l-${word}-${value}`;

/** The classes of `words`, and `more` behind them. */
export function look(words: Look, ...more: (string | undefined)[]): string {
  const classes = Object.entries(words).map(([word, value]) =>
    value === undefined || value === false ? "" : classOf(word, value),
  );
  return [...classes, ...more].filter(Boolean).join(" ");
}

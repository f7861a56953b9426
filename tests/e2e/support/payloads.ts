/** Texts that try to be code: every vector in every wrapping that could break out of where a page shows it. */

const CANARY = "//canary.invalid";
const RUN = "window.__hit=1";

const vectors = [
  `<script>${RUN}</script>`,
  `<script src=${CANARY}/x.js></script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src=${CANARY}/x.png>`,
  `<svg onload=${RUN}>`,
  `<svg><script href=data:,${RUN}></script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<body onload=${RUN}>`,
  `<iframe srcdoc="<script>parent.__hit=1</script>"></iframe>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="${CANARY}/x.swf">`,
  `<a href="javascript:${RUN}" autofocus onfocus=${RUN}>go</a>`,
  `<input autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<marquee onstart=${RUN}>`,
  `<link rel=stylesheet href=${CANARY}/x.css>`,
  `<style>@import '${CANARY}/x.css'</style>`,
  `<meta http-equiv=refresh content="0;url=${CANARY}">`,
  `<base href=${CANARY}/>`,
  `<form action=${CANARY}><button autofocus>`,
  `<math><mtext><img src=x onerror=${RUN}>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `javascript:${RUN}`,
  `https://example.com/" onmouseover="${RUN}`,
  `https:${CANARY}/a'onfocus='${RUN}`,
  "{{constructor.constructor('window.__hit=1')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text that looks like one
  "${window.__hit=1}",
  `data:text/html,<script>opener.__hit=1</script>`,
];

const wrappings: ((vector: string) => string)[] = [
  (vector) => vector,
  (vector) => `">${vector}`,
  (vector) => `'>${vector}`,
  (vector) => `</textarea></title></style></script>${vector}`,
  (vector) => `-->${vector}<!--`,
  (vector) => `\u2028${vector}`,
];

/** 180 of them. */
export const payloads = wrappings.flatMap((wrap) => vectors.map(wrap));

/** Those that are one line without invisible characters, as names must be; at most `limit` long. */
export function namesOf(limit: number): string[] {
  return payloads.filter((text) => !text.includes("\u2028") && text.length <= limit);
}

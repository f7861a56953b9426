import { useId } from "react";
import type { TripId } from "../trips";
import { Aurora, Stars } from "./aurora";

const FRAME = { viewBox: "0 0 480 320", preserveAspectRatio: "xMidYMid slice" } as const;

/** The drawn picture of a trip. It is decoration only: the name of the place is shown beside it. */
export function TripScene({ trip }: { trip: TripId }) {
  if (trip === "lofoten") return <Lofoten />;
  if (trip === "wadirum") return <WadiRum />;
  return <Kyoto />;
}

function Lofoten() {
  return (
    <svg className="scene scene-night" {...FRAME} aria-hidden="true">
      <Stars count={36} width={480} height={150} seed={8} />
      <Aurora className="aurora" x={60} width={440} y={170} height={165} swing={18} strips={40} seed={1.3} />
      <path className="range-far" d="M0 210l48-62 34 30 58-92 44 70 30-26 62 84z" />
      <path className="range-mid" d="M150 214l70-58 34 22 66-104 52 76 30-24 78 60v34z" />
      <path className="snow" d="M140 86l-20 32 14-4 8 10 12-12 6 6zM320 74l-23 36 16-5 9 12 13-14 9.6 7z" />
      <rect y="208" width="480" height="112" className="fjord" />
      <g className="glints">
        <path d="M120 222h90M190 232h130M300 222h80M250 246h90M150 252h60M340 240h70" />
      </g>
      <path d="M0 262c70-20 170-24 250-6 50 11 90 32 130 64H0z" fill="#0a1424" />
      <g transform="translate(86 196)">
        <path d="M0 30 44 0l44 30v46H0z" fill="#a8352e" />
        <path d="M-7 34 44-5l51 39-6 6L44 6-1 40z" fill="#f3efe6" />
        <path d="M14 40h20v18H14z" className="window" />
        <path d="M56 40h18v36H56z" fill="#6d1f1c" />
        <path d="M14 49h20M24 40v18" stroke="#a8352e" strokeWidth="2" />
        <path d="M6 76v14M44 76v14M82 76v14" stroke="#3a1715" strokeWidth="4" />
      </g>
    </svg>
  );
}

function WadiRum() {
  const sky = useId();
  return (
    <svg className="scene" {...FRAME} aria-hidden="true">
      <linearGradient id={sky} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#2a2150" />
        <stop offset=".42" stopColor="#a3465a" />
        <stop offset=".72" stopColor="#f0975c" />
        <stop offset="1" stopColor="#fbd08a" />
      </linearGradient>
      <rect width="480" height="320" fill={`url(#${sky})`} />
      <Stars count={26} width={480} height={90} seed={21} />
      <path d="M214 40a22 22 0 1 0 20 32 18 18 0 1 1-20-32z" fill="#fbe9c8" />
      <circle cx="300" cy="204" r="30" fill="#fff0cf" opacity=".9" />
      <path d="M0 222l18-70 26-12 40 4 14 30 28 10 12 38zM330 224l14-46 26-14 52 2 16 24 42 10v34z" fill="#8b3a3c" />
      <path d="M150 226l12-34 30-8 22 16 40 4 14 22z" fill="#a84a41" />
      <path d="M0 152l18 0 26-12 40 4M370 164l52 2" stroke="#b65b4d" strokeWidth="3" fill="none" opacity=".6" />
      <path d="M0 220c80-8 150 4 240 2s160-12 240-2v100H0z" fill="#c86f3f" />
      <path d="M0 246c90-18 170 12 260 14s150-26 220-18v78H0z" fill="#b4582f" />
      <path d="M0 286c110-26 210-16 300-2 70 11 120 8 180-8v44H0z" fill="#7d3523" />
      <g transform="translate(120 226)">
        <path d="M0 44 34 6l40-6 40 10 30 36c-50 8-96 8-144-2z" fill="#241a26" />
        <path d="M52 47c2-18 8-28 20-34 10 8 16 18 18 34-12 2-26 2-38 0z" className="window" opacity=".9" />
        <path d="M34 6l38 7 42-3" stroke="#46324a" strokeWidth="3" fill="none" />
      </g>
      <g transform="translate(302 258)">
        <ellipse cx="9" cy="24" rx="30" ry="5" className="window" opacity=".35" />
        <path d="M9-4c8 10 12 15 8 23-2 4-14 4-16 0C-3 11 6 8 9-4z" className="window" />
        <path d="M-4 22l26-4M-4 18l26 4" stroke="#3b1c16" strokeWidth="4" strokeLinecap="round" />
      </g>
    </svg>
  );
}

function Kyoto() {
  const sky = useId();
  return (
    <svg className="scene" {...FRAME} aria-hidden="true">
      <linearGradient id={sky} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#f2b79f" />
        <stop offset=".55" stopColor="#fbe3cd" />
        <stop offset="1" stopColor="#fdf3e3" />
      </linearGradient>
      <rect width="480" height="320" fill={`url(#${sky})`} />
      <circle cx="146" cy="112" r="46" fill="#e9694f" opacity=".88" />
      <path d="M0 190c60-40 110-46 170-20s100-40 170-44 100 30 140 20v174H0z" fill="#c9a79f" opacity=".55" />
      <path d="M0 226c80-30 150-20 220-6s150-30 260-8v108H0z" fill="#8f8f8a" opacity=".6" />
      <Pagoda />
      <path d="M0 268c90-22 180-16 250-8s150 6 230-12v72H0z" fill="#4c5a4c" />
      <path d="M0 292c120-20 250-14 480-6v34H0z" fill="#34423a" />
      <g fill="#fdf3e3" opacity=".75">
        <rect x="20" y="212" width="150" height="7" rx="3.5" />
        <rect x="90" y="232" width="180" height="6" rx="3" />
        <rect x="386" y="224" width="94" height="7" rx="3.5" />
      </g>
      <path
        d="M480 20c-50 20-90 26-150 22M430 34c-14 20-30 30-56 40M400 38c-24 12-50 14-70 8"
        stroke="#4a2a22"
        strokeWidth="4"
        fill="none"
        strokeLinecap="round"
      />
      <MapleLeaves />
    </svg>
  );
}

function Pagoda() {
  const storeys = [0, 1, 2, 3];
  return (
    <g transform="translate(286 92)" fill="#3d2b2b">
      <path d="M32-36h4v40h-4z" />
      {storeys.map((storey) => {
        const half = 34 + storey * 9;
        const top = storey * 42;
        return (
          <g key={storey}>
            <path
              d={`M${34 - half - 10} ${top + 22}q${half * 0.7}-4 ${half * 0.82}-20h${(half + 10) * 2 - half * 1.64}q${half * 0.12} 16 ${half * 0.82} 20z`}
            />
            <path d={`M${34 - half * 0.6} ${top + 22}h${half * 1.2}v20h-${half * 1.2}z`} fill="#7c3a33" />
            <path
              d={`M${34 - half * 0.24} ${top + 27}h${half * 0.48}v15h-${half * 0.48}z`}
              className="window"
              opacity=".85"
            />
          </g>
        );
      })}
      <path d="M-26 168h120v10H-26z" />
    </g>
  );
}

const LEAVES = [
  [338, 38, 15],
  [362, 52, 19],
  [384, 30, 20],
  [408, 56, 22],
  [432, 28, 24],
  [458, 48, 26],
  [474, 18, 22],
  [346, 66, 12],
  [388, 78, 14],
  [426, 82, 13],
  [330, 50, 10],
  [466, 80, 15],
] as const;

function MapleLeaves() {
  return (
    <g>
      {LEAVES.map(([cx, cy, r], i) => (
        <path
          key={`${cx}-${cy}`}
          d="M0-10 2.4-4 8-7 6.6-1.4 11 2 5 3.6 4 9 0 5.4-4 9-5 3.6-11 2-6.6-1.4-8-7-2.4-4z"
          transform={`translate(${cx} ${cy}) scale(${(r / 11).toFixed(2)}) rotate(${i * 37})`}
          fill={["#c73a2c", "#e0603a", "#b02c2c", "#ea8444"][i % 4]}
          opacity=".94"
        />
      ))}
      <path
        d="M0-10 2.4-4 8-7 6.6-1.4 11 2 5 3.6 4 9 0 5.4-4 9-5 3.6-11 2-6.6-1.4-8-7-2.4-4z"
        transform="translate(250 214) scale(.7) rotate(20)"
        fill="#c73a2c"
      />
      <path
        d="M0-10 2.4-4 8-7 6.6-1.4 11 2 5 3.6 4 9 0 5.4-4 9-5 3.6-11 2-6.6-1.4-8-7-2.4-4z"
        transform="translate(438 196) scale(.6) rotate(70)"
        fill="#e0603a"
      />
    </g>
  );
}

import { useId } from "react";
import { Aurora, Stars } from "./aurora";

/** The night over the fjord behind the welcome: northern light, three ranges, water, one lit cabin. */
export function HeroScene() {
  const water = useId();
  return (
    <svg className="hero-scene" viewBox="0 0 1440 720" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <Stars count={110} width={1440} height={430} seed={3} />
      <Aurora
        className="aurora aurora-far"
        x={620}
        width={980}
        y={395}
        height={330}
        swing={34}
        strips={64}
        seed={0.6}
      />
      <Aurora className="aurora" x={430} width={1130} y={455} height={400} swing={52} strips={78} seed={2.1} />

      <path
        className="range-far"
        d="M0 520 90 470l70 34 110-92 84 70 74-44 96 66 120-104 92 78 70-40 118 72 104-98 96 74 86-46 120 80 106-70 74 40v260H0z"
      />
      <path
        className="range-mid"
        d="M0 560l120-64 90 50 130-88 96 84 108-42 140 74 132-96 110 84 96-52 124 78 148-104 146 98V720H0z"
      />
      <path
        className="snow"
        d="M340 458l-38 26 16-3 12 10 12-12 14 9 14-4zM816 478l-38.5 28 18-3 14 11 14-14 14 10 15-4zM1294 484l-37 26 18-3 14 11 15-14 14 10 14.7-4z"
      />

      <linearGradient id={water} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" className="water-near" />
        <stop offset="1" className="water-deep" />
      </linearGradient>
      <rect y="596" width="1440" height="124" fill={`url(#${water})`} />
      <g className="glints">
        <path d="M560 612h150M640 624h250M780 612h190M900 634h210M1060 618h170M700 648h120M980 658h150M1160 646h120" />
      </g>

      <path
        className="shore"
        d="M690 640c40-22 110-32 190-30 90 2 150 16 220 40 50 17 130 26 340 30v40H640c10-36 20-66 50-80z"
      />
      <g transform="translate(838 548)">
        <path d="M0 26 34 0l34 26v40H0z" fill="#8e2f2a" />
        <path d="M-6 30 34-4l40 34-5 5L34 7-1 35z" fill="#f3efe6" />
        <path d="M12 34h16v16H12z" className="window" />
        <path d="M42 36h14v30H42z" fill="#5e1c1a" />
        <path d="M6 66v10M62 66v10M34 66v10" stroke="#2b1413" strokeWidth="3" />
      </g>
      <path
        className="pines"
        d="M960 622l12-40 12 40zM982 626l15-52 15 52zM1010 630l11-36 11 36zM1290 664l16-56 16 56zM1322 668l12-42 12 42zM1352 668l18-64 18 64z"
      />
    </svg>
  );
}
